import { goRound } from './round.ts'

await goRound(0)
