import { AppError } from '../../core/errors.ts'
import type { Reads } from '../kept/reads.ts'

/** What a caller was found by, and how many changes there were then. */
export interface MadeFrom {
  readonly reads: Reads
  readonly since: number
}

/** Something that a caller was found by was changed by those before it: it is to be found anew. Nothing is kept. */
export class CallerMoved extends AppError {
  constructor() {
    super('CONFLICT', 'What you may do was changed while this waited for other changes: send it again', {
      reason: 'caller_changed',
    })
  }
}
