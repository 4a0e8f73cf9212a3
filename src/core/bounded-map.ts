import { LRUCache } from 'lru-cache'

/**
 * A map that forgets what was used longest ago. It takes room as it fills: given a `max`, lru-cache takes all of it at
 * once.
 */
export const boundedMap = <Value extends object | string | number | boolean>(max: number): LRUCache<string, Value> =>
  new LRUCache<string, Value>({ maxSize: max, sizeCalculation: () => 1 })
