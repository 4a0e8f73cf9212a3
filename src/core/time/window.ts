import { invalid } from '../errors.ts'

export interface Window {
  valid_from: string | null
  valid_until: string | null
}

/** A window holds from its start, which belongs to it, to its end, which does not. */
export function checkWindow({ valid_from, valid_until }: Window): void {
  if (valid_from === null || valid_until === null || valid_from < valid_until) return
  throw invalid('valid_until', 'window.empty', 'valid_until must be later than valid_from')
}
