import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { requestsTaken } from '../../http/connections/one-by-one.ts'

const EVERY_MS = 2500
/** The loop rests where it is at work for less than this of the time. */
const SHARE = 0.05
/** So many requests between two looks are no rest, however little they take: probes alone are fewer. */
const ASKED = 10
/** A larger heap takes too long to look through: whoever came just then would wait. */
const SMALL_BYTES = 128 * 1024 * 1024
/** It is worth looking through it where so much was taken since the last time. */
const WORTH_BYTES = 8 * 1024 * 1024

interface Heap {
  used: number
  /** What is taken of the machine for it. */
  taken: number
}

interface Parts {
  /** Which part of the time the loop was at work since it was asked the last time. */
  work: () => number
  /** How many requests came since it was asked the last time. */
  asked: () => number
  heap: () => Heap
  giveBack: () => void
}

/**
 * Asked now and then: at the first rest after work, what the work left in memory is given back. By itself V8 keeps it
 * until there is more. The code goes with it: for whoever is asked a little all the time that would be dearer than what
 * they are asked.
 */
export function watchRest({ work, asked, heap, giveBack }: Parts): () => void {
  let isDue = true
  let left = 0
  return () => {
    const isAtWork = work() > SHARE
    isDue ||= isAtWork
    if (asked() >= ASKED || isAtWork) return
    const { used, taken } = heap()
    if (!isDue || used > SMALL_BYTES || taken < left + WORTH_BYTES) return
    isDue = false
    giveBack()
    left = heap().taken
    // What that took is no work.
    work()
  }
}

/** `more`: what else is given back, before the heap is looked through. */
export function startRest(more: () => void): { stop: () => void } {
  let taken = requestsTaken()
  const asked = () => {
    const before = taken
    taken = requestsTaken()
    return taken - before
  }
  // By what the processor did for this thread: where others have it, the loop is under way for long without working.
  const look = () => {
    const { user, system } = process.threadCpuUsage()
    return { busyMs: (user + system) / 1000, at: performance.now() }
  }
  let before = look()
  const work = () => {
    const now = look()
    const share = (now.busyMs - before.busyMs) / (now.at - before.at)
    before = now
    return share
  }
  const heap = () => {
    const { used_heap_size: used, total_heap_size: taken } = getHeapStatistics()
    return { used, taken }
  }
  const giveBack = () => {
    more()
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void
    // What is compiled under other flags is not taken by threads that begin later.
    setFlagsFromString('--no-expose-gc')
    collect({ type: 'major', flavor: 'last-resort' })
  }
  const timer = setInterval(watchRest({ work, asked, heap, giveBack }), EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
