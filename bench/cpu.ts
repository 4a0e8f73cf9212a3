import { readFile } from 'node:fs/promises'
import type { Server } from '../test/support/processes.ts'

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
  const read = (path: string) => readFile(path, 'utf8').catch(() => '')
  const [onCpu] = (await read(`/proc/${pid}/task/${pid}/schedstat`)).split(' ')
  // The fields after the name, which may have spaces: the 12th and 13th are the ticks of the process, ended threads
  // included.
  const fields = (await read(`/proc/${pid}/stat`)).split(') ').at(-1)?.split(' ') ?? []
  return {
    loop: onCpu ? Number(onCpu) / NANOSECONDS : Number.NaN,
    all: (Number(fields[11]) + Number(fields[12])) / TICKS,
  }
}

/** What some work has cost. */
export async function cpuDuring(server: Server, work: () => Promise<unknown>): Promise<CpuTime> {
  const before = await cpuOf(server)
  await work()
  const after = await cpuOf(server)
  return { loop: after.loop - before.loop, all: after.all - before.all }
}
