import { FileThread } from '../file-thread.ts'

/** A page to print and sign, in words that are ready: drawing it decides nothing. */
export interface Form {
  title: string
  organization: string
  reference: string
  /** Of its words, as PDF readers are told. */
  language: string
  /** A moment that stays with it: the same form is the same bytes. */
  made: string
  lines: ReadonlyArray<readonly [label: string, value: string]>
  columns: readonly string[]
  /** Of the width, by column. */
  shares: readonly number[]
  rows: readonly string[][]
  notes: readonly string[]
  signatures: readonly string[]
  page: string
}

/** Who prints one mostly prints the next. */
const KEPT_MS = 10_000

const thread = new FileThread<Form, Uint8Array>(new URL('./form-worker.ts', import.meta.url), KEPT_MS)

/** Made in a thread: taking a font apart keeps a processor busy for tens of milliseconds. */
export const pdfOf = async (form: Form, signal?: AbortSignal): Promise<Buffer> =>
  Buffer.from(await thread.ask(form, signal))
