export interface UnverifiedJwt {
  header: Record<string, unknown>
  payload: Record<string, unknown>
}

const MAX_LENGTH = 8192

/**
 * The two readable parts of a compact JWS that is written as the RFCs want it; undefined: it is not. Nothing in it is
 * proven yet.
 */
export function readJwt(token: string): UnverifiedJwt | undefined {
  if (token.length > MAX_LENGTH || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined
  const [head = '', body = '', signature = ''] = token.split('.')
  if (!isCanonical(signature)) return undefined
  const header = readObject(head)
  const payload = readObject(body)
  return header && payload ? { header, payload } : undefined
}

/** One text per value: base64url with stray bits at its end would be a second spelling of the same token. */
const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part

function readObject(part: string): Record<string, unknown> | undefined {
  if (!isCanonical(part)) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(part, 'base64url'))
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value) || hasDuplicates(text)) return undefined
    return value as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** Whether valid JSON names a member twice: readers would differ about which one counts. */
export function hasDuplicates(text: string): boolean {
  const open: Array<{ names: Set<string>; expectsName: boolean } | undefined> = []
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\],]/g)) {
    const inside = open.at(-1)
    if (token === '{') open.push({ names: new Set(), expectsName: true })
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',') {
      if (inside) inside.expectsName = true
    } else if (inside?.expectsName) {
      const name: string = JSON.parse(token)
      if (inside.names.has(name)) return true
      inside.names.add(name)
      inside.expectsName = false
    }
  }
  return false
}
