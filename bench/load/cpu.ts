import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { Server } from '../../test/support/processes.ts'

/** Seconds of CPU a server has had so far. */
export interface CpuTime {
  /** Its event loop: what answers requests. */
  loop: number
  /** All its threads. */
  all: number
}

const NANOSECONDS = 1e9
const TICKS = 100

/**
 * By Linux's own count: it tells threads apart, and does not grow while others have the cores. NaN where there is none.
 */
export async function cpuOf({ pid }: Server): Promise<CpuTime> {
  const [onCpu] = (await read(`/proc/${pid}/task/${pid}/schedstat`)).split(' ')
  return { loop: onCpu ? Number(onCpu) / NANOSECONDS : Number.NaN, all: await ofProcess(pid) }
}

/** Seconds of CPU that a server and the workers it started have had so far. */
export async function cpuOfWorkers({ pid }: Server): Promise<number> {
  const workers = (await read(`/proc/${pid}/task/${pid}/children`)).split(' ').filter(Boolean)
  const each = await Promise.all([pid, ...workers.map(Number)].map(ofProcess))
  return each.reduce((sum, seconds) => sum + seconds, 0)
}

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

async function ofProcess(pid: number): Promise<number> {
  // The fields after the name, which may have spaces: the 12th and 13th are the ticks of the process, ended threads
  // included.
  const fields = (await read(`/proc/${pid}/stat`)).split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/** What some work has cost. */
export async function cpuDuring(server: Server, work: () => Promise<unknown>): Promise<CpuTime> {
  const before = await cpuOf(server)
  await work()
  const after = await cpuOf(server)
  return { loop: after.loop - before.loop, all: after.all - before.all }
}

const busy = new URL('./busy.ts', import.meta.url).pathname

/** While a program that does nothing else takes a share of one core, in so many parts a second. */
export async function besideBusy<T>(share: number, parts: number, work: () => Promise<T>): Promise<T> {
  const program = spawn(process.execPath, [busy, String(share), String(parts)], { stdio: 'ignore' })
  try {
    return await work()
  } finally {
    program.kill()
  }
}
