/** What a change answers with. */
export interface Written<D extends object = Record<string, unknown>> {
  msg: string
  data: D
  /** 200 unless something was made. */
  status?: 200 | 201
  location?: string
  /** Shown in this answer only; a replay of the same request leaves it out. */
  secret?: Record<string, unknown>
}
