/**
 * The reference for what goes on beside reads: does nothing but take a share of one core, in so many equal parts a
 * second.
 */
const [share = 0, parts = 1] = process.argv.slice(2).map(Number)
const everyMs = 1000 / parts

/** Counts what it has had by its own clock: what it had to wait for it makes up for, as who has work to do would. */
const hadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const began = { at: performance.now(), had: hadMs() }
setInterval(() => {
  const due = (performance.now() - began.at) * share
  while (hadMs() - began.had < due);
}, everyMs)
