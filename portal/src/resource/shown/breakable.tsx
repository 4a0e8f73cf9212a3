import { Fragment } from 'react'

/** A text without spaces goes on after a dot or the like where its place is too narrow, never inside a word. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[@._:/])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
