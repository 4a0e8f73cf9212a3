import { changesFeed } from './changes/feed.ts'
import { accessEventsFeed } from './events-feed.ts'
import type { Feed } from './feed.ts'

/** What is streamed, and sent by webhooks. */
export const allFeeds: readonly Feed[] = [changesFeed, accessEventsFeed]
