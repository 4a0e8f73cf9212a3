import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SharedBody } from '../http/answers/coding.ts'

interface PageAsset {
  readonly path: string
  readonly type: string
  readonly body: SharedBody
  readonly etag: string
}

function asset(path: string, type: string, file: URL): PageAsset {
  const text = readFileSync(file, 'utf8')
  return {
    path,
    type,
    body: new SharedBody(text),
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
  }
}

/** What the server-rendered pages load: all of it from here, nothing from outside. */
export const pageAssets: readonly PageAsset[] = [
  asset('/docs/style.css', 'text/css; charset=utf-8', new URL('./assets/style.css', import.meta.url)),
  asset('/docs/reference.js', 'text/javascript; charset=utf-8', new URL('./assets/reference.js', import.meta.url)),
  asset('/docs/search.js', 'text/javascript; charset=utf-8', new URL('./assets/search.js', import.meta.url)),
  asset('/docs/try-it.js', 'text/javascript; charset=utf-8', new URL('./assets/try-it.js', import.meta.url)),
  asset('/docs/icon.svg', 'image/svg+xml', new URL('./assets/icon.svg', import.meta.url)),
]

/** For every HTML page made here. */
export const pageSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'"
