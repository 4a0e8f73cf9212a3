import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PortalPlace } from '../../../src/portal-build/place.ts'
import { atEnd } from '../at-end.ts'

/** A portal of four files, which Vite builds in a moment. */
export async function fixturePortal(): Promise<PortalPlace & { write(path: string, content: string): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-portal-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const write = async (path: string, content: string) => {
    const file = join(folder, path)
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, content)
  }
  await write('package.json', JSON.stringify({ devDependencies: { react: '19.3.1' } }))
  await write(
    'portal/index.html',
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="nonce" content="__NONCE__"><title>Fixture</title></head>
<body><div id="root"></div><script type="module" src="/main.ts"></script></body></html>`,
  )
  // Long enough to be worth compressing.
  const words = Array.from({ length: 400 }, (_, index) => `door ${index}`)
  await write(
    'portal/main.ts',
    `import './style.css'\nconst words: string[] = ${JSON.stringify(words)}\ndocument.body.append(words.join(', '))\n`,
  )
  await write('portal/style.css', 'body { color: rebeccapurple }\n')
  await write('portal/public/robots.txt', 'User-agent: *\nDisallow: /\n')
  return { sources: join(folder, 'portal'), packageFile: join(folder, 'package.json'), write }
}
