import { PATIENCE_MS, Supervisor, type SupervisorParts } from '../connect/supervisor.ts'
import { attempt } from './repeat.ts'

/** What nobody tells of, such as a system that answers again, is looked for so often. */
const POLL_MS = 500

/**
 * Attends to the connected systems, again and again and at once where something is to be done; never twice at the same
 * time.
 */
export function startSupervision(parts: SupervisorParts): { stop: () => Promise<void> } {
  const supervisor = new Supervisor(parts)
  const failed = (err: unknown) => parts.logger.warn({ err }, 'systems could not be attended to; it is tried again')
  const job = { name: 'supervision', engine: parts.engine, run: () => supervisor.run(PATIENCE_MS), failed }
  let isStopped = false
  let isAsked = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    if (isStopped) return
    if (running) {
      isAsked = true
      return
    }
    clearTimeout(timer)
    isAsked = false
    running = attempt(job).then(() => {
      running = undefined
      if (isAsked) start()
      else timer = setTimeout(start, POLL_MS).unref()
    })
  }
  supervisor.onWake(start)
  timer = setTimeout(start, 0).unref()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
      await supervisor.stop()
    },
  }
}
