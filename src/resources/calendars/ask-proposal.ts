import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { tooSlow } from '../../core/errors.ts'
import type { Question, Reply } from './proposal.ts'

const program = fileURLToPath(new URL('./proposal-child.ts', import.meta.url))
/** Under way and waiting; each takes about a second and a hundred megabytes, one at a time. */
const MAX_WAITING = 20
const HEAP_MB = 256

let waiting = 0
let turn: Promise<unknown> = Promise.resolve()

/** Asks a process of its own, which ends with the answer, or when `signal` says so. */
export async function askProposal(question: Question, signal: AbortSignal): Promise<Reply> {
  if (waiting >= MAX_WAITING) throw tooSlow()
  waiting += 1
  const mine = turn.then(() => run(question, signal))
  turn = mine.catch(() => undefined)
  try {
    return await mine
  } finally {
    waiting -= 1
  }
}

async function run(question: Question, signal: AbortSignal): Promise<Reply> {
  signal.throwIfAborted()
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, program], {
    env: {},
    signal,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(signal.aborted ? signal.reason : error))
    child.once('close', resolve)
  })
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(question))
  const [code, answer, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  if (code !== 0) throw new Error(`the process that proposes holidays ended with ${code}: ${complaint.slice(-500)}`)
  return JSON.parse(answer)
}
