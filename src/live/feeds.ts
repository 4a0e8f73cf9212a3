import { changesFeed } from './changes/feed.ts'
import type { Feed } from './feed.ts'

/** All there are. */
export const feeds: readonly Feed[] = [changesFeed]
