/** What others call it. A hint names ours, where it is offered. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  order: ['sort', 'sort_by', 'sortby', 'sort_order', 'order_by', 'orderby', 'ordering'],
  limit: ['per_page', 'perpage', 'page_size', 'pagesize', 'size', 'count', 'max_results', 'top', 'take', 'rows'],
  page: ['offset', 'skip', 'start', 'page_number', 'page_no', 'pageno'],
  search: ['q', 'query', 'text', 'term', 'keyword', 'find'],
  select: ['fields', 'columns', 'include', 'attributes', 'props'],
}

const OTHER_OPERATORS: Readonly<Record<string, string>> = {
  equals: 'eq',
  ne: 'neq',
  not: 'neq',
  ge: 'gte',
  le: 'lte',
  contains: 'ilike',
}

const KNOWN = new Map(
  Object.entries(SYNONYMS).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
)

/** The one of `names` that was probably meant: ours for another's word, or one that is a slip of the keys away. */
export function meant(given: string, names: readonly string[]): string | undefined {
  const word = given.toLowerCase()
  const synonym = KNOWN.get(word)
  if (synonym !== undefined && names.includes(synonym)) return synonym
  let best: string | undefined
  // A third of the letters may be wrong; of a longer word no more than that, since it would be another word.
  let least = Math.min(3, Math.floor(word.length / 3) + 1)
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= least) continue
    const distance = distanceOf(word, name)
    if (distance >= least) continue
    best = name
    least = distance
  }
  return best
}

export const didYouMean = (hint: string | undefined): string => (hint === undefined ? '' : ` (did you mean "${hint}"?)`)

/** `filter[name]=x` and `name[eq]=x` in our own words. */
export function fromBrackets(key: string, value: string, names: readonly string[]): string | undefined {
  const parts = key.split(/[[\]]+/, 4)
  const field = parts.find((part) => names.includes(part))
  return field === undefined ? undefined : `${field}=eq.${value}`
}

/** An operator under another name or in capitals; undefined: it is none at all. */
export function operatorMeant(given: string, operators: readonly string[]): string | undefined {
  const word = given.toLowerCase()
  if (operators.includes(word)) return word
  return Object.hasOwn(OTHER_OPERATORS, word) ? OTHER_OPERATORS[word] : undefined
}

/** How many letters are to be put in, taken out, exchanged or swapped with their neighbour. */
function distanceOf(a: string, b: string): number {
  let older: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    older = last
    last = row
  }
  return last[b.length] ?? 0
}
