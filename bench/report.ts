export interface Claim {
  name: string
  value: number
  unit: string
  atLeast?: number
  atMost?: number
  detail?: string
}

const holds = ({ value, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Claim): boolean =>
  value >= atLeast && value <= atMost

/** Prints every claim with what was measured; true when all hold. */
export function report(claims: readonly Claim[]): boolean {
  for (const claim of claims) {
    const goal =
      claim.atLeast !== undefined
        ? `at least ${claim.atLeast}`
        : claim.atMost !== undefined
          ? `at most ${claim.atMost}`
          : 'no goal set'
    const measured = `${claim.value.toFixed(claim.value < 10 ? 2 : 0)} ${claim.unit}`
    process.stdout.write(
      `${holds(claim) ? 'ok  ' : 'MISS'}  ${claim.name}: ${measured} ` +
        `(${goal})${claim.detail ? `  ${claim.detail}` : ''}\n`,
    )
  }
  return claims.every(holds)
}

/** What was measured, from the least to the most, for a claim's detail. */
export const each = (times: readonly number[]): string =>
  times
    .toSorted((a, b) => a - b)
    .map(Math.round)
    .join(' ')
