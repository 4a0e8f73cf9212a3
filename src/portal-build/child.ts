import { hash } from 'node:crypto'
import { readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { FILE_LIST, type PortalFile, suffixes } from '../docs/portal-files.ts'
import { type Coding, codings, isWorthCoding } from '../http/answers/coding.ts'
import { clientSources } from './place.ts'

// A process of its own, so that the memory it takes is given back: `node child.ts SOURCES OUT` builds the portal into a
// folder.

const [sources = '', out = ''] = process.argv.slice(2)

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
const isText = (type: string): boolean => /^text\/|json|svg/.test(type)

const compress: Readonly<Record<Coding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  gzip: (content) => promisify(gzip)(content, { level: 9 }),
}

async function bundle(): Promise<void> {
  // Whatever the surroundings say: a development build is three times as large.
  // biome-ignore lint/style/noProcessEnv: Vite and React read it from there
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const made = await build({
    root: sources,
    logLevel: 'warn',
    build: { outDir: out, emptyOutDir: true, sourcemap: false },
  })
  const homes = [await realpath(sources), clientSources].map((folder) => folder + sep)
  for (const { output } of [made].flat() as Array<{ output: ReadonlyArray<{ type: string; moduleIds?: string[] }> }>) {
    const strangers = output
      .flatMap(({ moduleIds = [] }) => moduleIds)
      .filter((id) => id.startsWith(sep) && !homes.some((home) => id.startsWith(home)) && !id.includes('node_modules'))
    if (strangers.length > 0)
      throw new Error(
        `The portal takes types alone from outside its folder and the client's, but bundles ${strangers.join(', ')}`,
      )
  }
}

async function describe(path: string): Promise<PortalFile> {
  const type = types[extname(path)] ?? 'application/octet-stream'
  const content = await readFile(join(out, path))
  const kept: Coding[] = []
  for (const coding of isText(type) && isWorthCoding(content) ? codings : []) {
    const compressed = await compress[coding](content)
    if (compressed.length >= content.length * 0.95) continue
    await writeFile(join(out, path + suffixes[coding]), compressed)
    kept.push(coding)
  }
  return {
    path: path.replaceAll(sep, '/'),
    type,
    etag: hash('sha256', content, 'base64url').slice(0, 20),
    encodings: kept,
  }
}

await bundle()
const paths = (await readdir(out, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(out, join(entry.parentPath, entry.name)))
// The page is not served as it lies there, and source maps are nobody's.
const files = await Promise.all(paths.filter((path) => path !== 'index.html' && !path.endsWith('.map')).map(describe))
await writeFile(join(out, FILE_LIST), JSON.stringify(files))
