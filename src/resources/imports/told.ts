import type { Import } from './schema.ts'

const did: Readonly<Record<Import['status'], string>> = {
  reading: 'Reading the file',
  checking: 'Trying the file',
  checked: 'Tried the file',
  running: 'Taking the file in',
  done: 'Took the file in',
  cancelled: 'Cancelled import',
  refused: 'The file was refused',
  interrupted: 'The file did not come to its end',
}

/** How far an import has come, as a sentence: of what is only tried nothing is kept. */
export function toldOf({ status, dry_run, rows, created, changed, unchanged, failed }: Import): string {
  const soFar = status === 'reading' || status === 'checking' || status === 'running' ? 'so far ' : ''
  const [made, refused] = dry_run ? ['would be created', 'would fail'] : ['created', 'failed']
  return (
    `${did[status]}: ${rows} ${rows === 1 ? 'row' : 'rows'}, ${soFar}${created} ${made}, ${changed} changed, ` +
    `${unchanged} unchanged, ${failed} ${refused}`
  )
}
