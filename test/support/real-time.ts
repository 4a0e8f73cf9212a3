import { afterAll, vi } from 'vitest'

/** Files share a process: one that stops or moves the clock must not leave it so to the next. */
afterAll(() => void vi.useRealTimers())
