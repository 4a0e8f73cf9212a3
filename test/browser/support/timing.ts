/** How long it took, printed and given; a busy machine decides no test. */
export async function timed(name: string, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  console.log(`timing: ${name}: ${Math.round(ms)} ms`)
  return ms
}
