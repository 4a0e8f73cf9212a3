/** Runs something later, unless it is cancelled; never keeps the process alive. */
export type Later = (run: () => void, ms: number) => { cancel(): void }

const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms).unref()
  return { cancel: () => clearTimeout(timer) }
}

/** Runs `work` again and again, never twice at once; `work` sees to its own faults. */
export function repeat(
  work: () => Promise<void>,
  { firstMs, everyMs }: { firstMs: number; everyMs: number },
  schedule: Later = later,
): { stop: () => Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const start = () => {
    running = work().then(() => {
      next = schedule(start, everyMs)
    })
  }
  let next = schedule(start, firstMs)
  return {
    stop: async () => {
      next.cancel()
      await running
      next.cancel()
    },
  }
}
