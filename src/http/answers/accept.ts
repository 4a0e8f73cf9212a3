interface Range {
  /** In lower case: `text/csv`, `text/*` as `text/`, anything as ''. */
  readonly begin: string
  readonly isWhole: boolean
  readonly weight: number
}

/** The one of these types that an Accept header asks for most, the first of those it asks for alike; undefined: it takes none. */
export function acceptedOf(accept: string | undefined, types: readonly string[]): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === types[0]) return types[0]
  const ranges = accept.split(',').map(rangeOf)
  let best: { type: string; range: Range } | undefined
  for (const type of types) {
    // What is said of this very type counts more than what is said of its kind.
    const fitting = ranges.filter(({ begin, isWhole }) => (isWhole ? type === begin : type.startsWith(begin)))
    const [range] = fitting.sort((a, b) => b.begin.length - a.begin.length)
    if (!range || range.weight === 0) continue
    const isBetter = !best || range.weight > best.range.weight || (range.weight === best.range.weight && rank(range) > rank(best.range))
    if (isBetter) best = { type, range }
  }
  return best?.type
}

const rank = ({ begin, isWhole }: Range): number => (isWhole ? 2 : begin === '' ? 0 : 1)

function rangeOf(text: string): Range {
  const [wanted = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  const begin = wanted === '*/*' || wanted === '*' ? '' : wanted.endsWith('/*') ? wanted.slice(0, -1) : wanted
  return { begin, isWhole: begin !== '' && !begin.endsWith('/'), weight: Number(weight) || 0 }
}
