import type { Case } from './case.ts'
import type { Language } from './language.ts'
import type { Reason } from './reasons.ts'

/** What a rule found: it opens the door whatever follows, or it stands in the way. */
export interface Finding {
  readonly reason: Reason
  /** Opens outright: nothing after it is asked. */
  readonly opens?: true
  /** Something the asker could still bring along. */
  readonly missing?: 'pin' | 'second_person' | 'escort'
  /** The sentence that says so to people; `next`: when it will be granted, if the clock alone brings that about. */
  say(language: Language, next: string | null): string
}

/** One rule of `decide()`: a file with its condition and its sentences. It sees the case and nothing else. */
export type Rule = (question: Case) => Finding | undefined
