import { type Batch, type Operation as BatchOperation, sendBatches } from './batch.ts'
import type { Paths } from './generated/paths.ts'
import { type StreamedEvent, type StreamOptions, streamEvents } from './stream.ts'
import { type Answer, type ClientOptions, type Method, type Page, type RequestOptions, Transport } from './transport.ts'

/** The paths that take this method. */
type PathsOf<M extends Method> = { [P in keyof Paths]: Paths[P] extends Record<M, unknown> ? P : never }[keyof Paths]
type Operation<P extends keyof Paths, M extends Method> = Paths[P] extends Record<M, infer O> ? O : never
type DataOf<O> = O extends { data: infer D } ? D : undefined
type MetaOf<O> = O extends { meta?: infer T } ? T : undefined

/** The lists: what has pages. */
type Lists = {
  [P in PathsOf<'GET'>]: DataOf<Operation<P, 'GET'>> extends readonly unknown[] ? P : never
}[PathsOf<'GET'>]
type ItemOf<P extends Lists> = DataOf<Operation<P, 'GET'>> extends ReadonlyArray<infer T> ? T : never

type Slots<O> = O extends { path: infer S } ? { path: S } : { path?: never }
type Asked<O> = O extends { query: infer Q }
  ? { query: Q }
  : O extends { query?: infer Q }
    ? { query?: Q }
    : { query?: never }
type Sent<O> = O extends { body: infer B }
  ? { body: B }
  : O extends { body?: infer B }
    ? { body?: B }
    : { body?: never }

type Options<O> = Omit<RequestOptions, 'query' | 'body'> & Slots<O> & Asked<O> & Sent<O>
/** Nothing need be given where nothing is needed. */
type Given<O> = Record<never, never> extends Options<O> ? [options?: Options<O>] : [options: Options<O>]

/** Every operation of a Gatehouse service, typed by its path. */
export class Gatehouse extends Transport {
  constructor(options: ClientOptions) {
    super(options)
  }

  get<P extends PathsOf<'GET'>>(path: P, ...given: Given<Operation<P, 'GET'>>) {
    return this.operate('GET', path, given)
  }

  post<P extends PathsOf<'POST'>>(path: P, ...given: Given<Operation<P, 'POST'>>) {
    return this.operate('POST', path, given)
  }

  put<P extends PathsOf<'PUT'>>(path: P, ...given: Given<Operation<P, 'PUT'>>) {
    return this.operate('PUT', path, given)
  }

  patch<P extends PathsOf<'PATCH'>>(path: P, ...given: Given<Operation<P, 'PATCH'>>) {
    return this.operate('PATCH', path, given)
  }

  delete<P extends PathsOf<'DELETE'>>(path: P, ...given: Given<Operation<P, 'DELETE'>>) {
    return this.operate('DELETE', path, given)
  }

  /** A list, page after page, by cursor: what stays is given exactly once, whatever else is written meanwhile. */
  pages<P extends Lists>(
    path: P,
    ...given: Given<Operation<P, 'GET'>> | [options: Options<Operation<P, 'GET'>> & { from: string }]
  ): AsyncGenerator<Page<ItemOf<P>, MetaOf<Operation<P, 'GET'>>>> {
    const { path: slots, ...options } = (given[0] ?? {}) as Loose & { from?: string }
    return this.walk(filled(path, slots), options)
  }

  /** A list, item after item. */
  async *each<P extends Lists>(path: P, ...given: Given<Operation<P, 'GET'>>): AsyncGenerator<ItemOf<P>> {
    for await (const { items } of this.pages(path, ...given)) yield* items
  }

  /** What happens, as it happens: a feed by server-sent events, taken up again where it broke. */
  stream<T = unknown>(path: string, options: StreamOptions = {}): AsyncGenerator<StreamedEvent<T>> {
    return streamEvents<T>(this, path, options)
  }

  /** Any number of creations, changes and deletions of a resource, a thousand at a time: `…/individuals/batch`. */
  batch(
    path: string,
    operations: readonly BatchOperation[],
    options: Parameters<typeof sendBatches>[3] = {},
  ): Promise<Batch> {
    return sendBatches(this, path, operations, options)
  }

  private operate<P extends keyof Paths, M extends Method>(
    method: M,
    path: P,
    given: readonly unknown[],
  ): Promise<Answer<DataOf<Operation<P, M>>, MetaOf<Operation<P, M>>>> {
    const { path: slots, ...options } = (given[0] ?? {}) as Loose
    return this.request(method, filled(path, slots), options)
  }
}

/** The options as they are sent, whatever the operation. */
type Loose = RequestOptions & { path?: Readonly<Record<string, string>> }

export const filled = (path: string, slots: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(slots[name] ?? ''))
