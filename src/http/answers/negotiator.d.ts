/** What we use of it; the types that others keep are of an earlier version. */
declare module 'negotiator' {
  export class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string>> })
    /** The one that is liked best, the first of those liked alike. */
    mediaType(offered: readonly string[]): string | undefined
    /** Best first. */
    languages<One extends string>(offered: readonly One[]): One[]
    /** Best first; `preferred`: in this order where they are liked alike. */
    encodings<One extends string>(offered: readonly One[], options: { readonly preferred: readonly One[] }): One[]
  }
}
