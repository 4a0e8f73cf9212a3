import { Fragment } from 'react'

/** A text without spaces goes on after a dot or the like where its place is too narrow, never inside a word. */
export function Breakable({ text }: { text: string }) {
  const parts = text.split(/(?<=[@._:/])/)
  // Most texts have no such place: a table has thousands of them.
  if (parts.length === 1) return text
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
