import type { Engine } from '../../db/engine.ts'
import { OrgHandle } from '../../db/org.ts'
import { type Judgement, judgeSlice, type Some } from '../judge-slice.ts'
import type { Told } from './prepare.ts'
import { type Taken, takeIn } from './take-in.ts'

type Work<Asked, Given> = (engine: Engine, org: number, now: string, asked: Asked) => Promise<Given>

/**
 * What is done for the doors beside requests: in a thread where there is one, or here. What is asked and given can be
 * copied.
 */
export const works = {
  take: takeIn as Work<readonly Told[], Taken>,
  judge: ((engine, org, now, some) => judgeSlice(new OrgHandle(engine, org, now), some)) as Work<Some, Judgement>,
}

export type WorkName = keyof typeof works
export type AskedOf<Name extends WorkName> = Parameters<(typeof works)[Name]>[3]
export type GivenBy<Name extends WorkName> = Awaited<ReturnType<(typeof works)[Name]>>
