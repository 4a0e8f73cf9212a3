import { changesFeed } from './changes/feed.ts'
import type { Feed } from './feed.ts'

const known = new Map<string, Feed>([[changesFeed.name, changesFeed]])

/** What is streamed is sent by webhooks too: whoever gives a feed a stream has said all there is to say. */
export const addFeed = (feed: Feed): void => void known.set(feed.name, feed)

/** All there are. */
export const allFeeds = (): readonly Feed[] => [...known.values()]
