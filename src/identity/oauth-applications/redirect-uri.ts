const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Why an address cannot be one that people are sent back to; undefined: it can. */
export function redirectFault(text: string, kind: 'confidential' | 'public'): string | undefined {
  const url = URL.parse(text)
  if (!url || /[\s\\]/.test(text)) return 'is not an absolute address'
  if (text.includes('#')) return 'must not have a fragment'
  if (url.username || url.password) return 'must not have a name or password in it'
  const isLocal = LOCAL.has(url.hostname)
  switch (url.protocol) {
    case 'https:':
      return kind === 'public' && isLocal ? 'is on the local machine, where a public application uses HTTP' : undefined
    case 'http:':
      return isLocal ? undefined : 'must be HTTPS, except on the local machine'
    default:
      if (kind === 'confidential') return 'must be HTTPS, or HTTP on the local machine'
      // RFC 8252: a scheme of one's own is a domain of one's own, reversed.
      return url.protocol.includes('.') ? undefined : 'must have a scheme of its own with a dot, like com.example.app'
  }
}
