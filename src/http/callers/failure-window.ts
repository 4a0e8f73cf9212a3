import { boundedMap } from '../../core/bounded-map.ts'

/** Failures by key within a span of time, in this process; `name` is what its policy is called in answers. */
export class FailureWindow {
  private readonly counts = boundedMap<{ from: number; failures: number }>(50_000)
  private readonly name: string
  private readonly allowed: number
  private readonly ms: number

  constructor(name: string, allowed: number, ms: number) {
    this.name = name
    this.allowed = allowed
    this.ms = ms
  }

  /** Counts one; gives 0, or for how many seconds no more are taken. */
  count(key: string, at: string): number {
    const now = Date.parse(at)
    let entry = this.counts.get(key)
    if (!entry || now - entry.from >= this.ms || now < entry.from) {
      entry = { from: now, failures: 0 }
      this.counts.set(key, entry)
    }
    entry.failures += 1
    return entry.failures <= this.allowed ? 0 : Math.ceil((entry.from + this.ms - now) / 1000)
  }

  /** What was counted beforehand was no failure. */
  forgive(key: string): void {
    const entry = this.counts.get(key)
    if (entry && entry.failures > 0) entry.failures -= 1
  }

  headers(seconds: number): Record<string, string> {
    return {
      'retry-after': String(seconds),
      'ratelimit-policy': `"${this.name}";q=${this.allowed};w=${this.ms / 1000}`,
      ratelimit: `"${this.name}";r=0;t=${seconds}`,
    }
  }
}
