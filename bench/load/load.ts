import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Load {
  url: string
  token?: string
  /** Paths to draw from at random; one path is asked over and over. */
  paths: readonly string[]
  /** Bodies to draw from at random: then it is a POST. */
  bodies?: readonly object[]
  connections: number
  seconds: number
}

export interface Result {
  perSecond: number
  meanMs: number
  p99Ms: number
  longestMs: number
  failed: number
}

export async function requireWrk(): Promise<void> {
  try {
    await run('wrk', ['-v'])
  } catch (error) {
    // wrk -v prints its version and exits with 1.
    if ((error as { code?: unknown }).code === 'ENOENT')
      throw new Error('The benchmark needs wrk: apt-get install wrk (or brew install wrk).')
  }
}

/** wrk, one thread: the other core is the server's. */
export async function load(
  { url, token, paths, bodies = [], connections, seconds }: Load,
  scratch: string,
): Promise<Result> {
  const script = join(scratch, 'paths.lua')
  await writeFile(
    script,
    `local paths = {${paths.map((path) => JSON.stringify(path)).join(',')}}
local bodies = {${bodies.map((body) => JSON.stringify(JSON.stringify(body))).join(',')}}
math.randomseed(42)
if #bodies > 0 then wrk.headers["Content-Type"] = "application/json" end
request = function()
  if #bodies == 0 then return wrk.format("GET", paths[math.random(#paths)]) end
  return wrk.format("POST", paths[math.random(#paths)], nil, bodies[math.random(#bodies)])
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %f %f %f %f %d\\n", summary.requests / summary.duration * 1e6,
    latency.mean / 1000, latency:percentile(99) / 1000, latency.max / 1000,
    e.connect + e.read + e.write + e.status + e.timeout))
end\n`,
  )
  const header = token ? ['-H', `Authorization: Token ${token}`] : []
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}`, '-s', script, ...header, url])
  const [, ...numbers] = /RESULT ([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) (\d+)/.exec(stdout) ?? []
  const [perSecond, meanMs = 0, p99Ms = 0, longestMs = 0, failed = 0] = numbers.map(Number)
  if (perSecond === undefined) throw new Error(`wrk said: ${stdout}`)
  return { perSecond, meanMs, p99Ms, longestMs, failed }
}

/**
 * Asks each path once, one after the other: what somebody waits who asks what nobody asked before. `before`: what is
 * done before each, and does not count.
 */
export async function askOnce(
  url: string,
  token: string,
  paths: readonly string[],
  before: (n: number) => Promise<unknown> = async () => undefined,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (const [n, path] of paths.entries()) {
    await before(n)
    const started = performance.now()
    const status = await new Promise<number>((resolve, reject) => {
      get(url + path, { agent, headers: { authorization: `Token ${token}` } }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      }).on('error', reject)
    })
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    times.push(performance.now() - started)
  }
  agent.destroy()
  return median(times)
}

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}
