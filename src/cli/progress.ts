import type { Progress } from '../demo/fill.ts'
import type { Context } from './command.ts'

const WATCHED_EVERY_MS = 200
const UNWATCHED_EVERY_MS = 5000

/** A line that says how far the fill is: in place where somebody watches, every few seconds in a log. */
export function createProgress({ say, replaceLine }: Context): { show: (progress: Progress) => void; end: () => void } {
  const start = Date.now()
  let shown = start
  let isShown = false
  return {
    show: (progress) => {
      const now = Date.now()
      if (now - shown < (replaceLine ? WATCHED_EVERY_MS : UNWATCHED_EVERY_MS)) return
      shown = now
      isShown = true
      const print = replaceLine ?? say
      print(describe(progress, (now - start) / 1000))
    },
    end: () => {
      if (isShown) replaceLine?.('')
    },
  }
}

function describe({ stage, rows, expected }: Progress, seconds: number): string {
  const rate = rows / Math.max(seconds, 0.001)
  const left = rows < expected ? `, about ${duration((expected - rows) / rate)} left` : ''
  return (
    `${stage}: ${rows.toLocaleString('en')} rows, ${Math.round(rate).toLocaleString('en')}/s, ` +
    `${duration(seconds)}${left}`
  )
}

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`
