/** Clocks of ours differ by less than this. */
const AHEAD_MS = 60_000

/** What was noted as later than this came while a clock of ours was ahead of its time: what comes now is newer. */
export const aheadOf = ({ instant }: { readonly instant: string }): string =>
  new Date(Date.parse(instant) + AHEAD_MS).toISOString()
