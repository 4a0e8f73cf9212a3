/** The instructions of a Dockerfile, in order, lines that go on joined. */
export function readDockerfile(text: string): Array<{ name: string; value: string }> {
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const [, name = '', value = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    return { name, value: value.replace(/\s+/g, ' ').trim() }
  })
}
