import { expect, it, onTestFinished, vi } from 'vitest'
import { startHouse } from '../../test/support/app.ts'
import { ingest } from '../live/intake/ingest.ts'
import { judgeSome } from '../live/verdicts.ts'
import { startJudging } from './judging.ts'

const house = await startHouse()
const { owner, engine, clock } = house

it('what was stored without a verdict has it, though it failed at first, or the process that stored it is gone', async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Campus' })
  const building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Vault', building_id: building.id, passback: 'hard' })
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
  const { id: access_point_id } = await owner.create('/api/v1/access-points', {
    name: 'Vault door',
    space_id: space.id,
    access_control_system_id: system.id,
  })
  const { id: individual_id } = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
  clock.forward(1000)
  const alarms = async () => (await owner.get('/api/v1/alarms?select=kind,event_count')).body.data
  const granted = { type: 'access.granted', access_point_id, individual_id } as const

  const looks: Array<() => void> = []
  const warn = vi.spyOn(house.app.log, 'warn')
  const warnings = () => warn.mock.calls.filter(([, text]) => String(text).startsWith('verdicts')).length
  const job = startJudging(engine, clock, house.app.log, (run) => {
    looks.push(run)
    return { cancel: () => undefined }
  })
  onTestFinished(() => job.stop())
  /** Twice: what is still there nobody is at. */
  const look = async () => {
    for (let n = 0; n < 2; n++) {
      await expect.poll(() => looks.length).toBe(1)
      looks.shift()?.()
    }
  }
  const unjudged = () => engine.reader.all('select e.sequence from access_events e where e.verdict is null', [])
  const transaction = engine.transaction.bind(engine)
  let isStored = false
  const broken = vi.spyOn(engine, 'transaction').mockImplementation(async (work) => {
    if (isStored) throw new Error('the database is away')
    const result = await transaction(work)
    isStored = (await unjudged()).length > 0
    return result
  })
  onTestFinished(() => broken.mockRestore())
  await ingest({ engine, clock }, 1, [granted])
  await expect.poll(warnings).toBe(1)
  await look()
  await expect.poll(warnings).toBe(2)
  broken.mockRestore()
  expect(await alarms()).toEqual([])
  await look()
  await expect.poll(alarms).toEqual([{ kind: 'unexpected_grant', event_count: 1 }])

  // Nobody tells of what another process leaves; and what it is at is left to it.
  const { engine: other } = (await house.neighbour()).house
  await ingest({ engine: other, clock }, 1, [granted])
  await expect.poll(() => looks.length).toBe(1)
  looks.shift()?.()
  await expect.poll(() => looks.length).toBe(1)
  await judgeSome(other, 1, clock.now())
  await expect.poll(alarms).toEqual([{ kind: 'unexpected_grant', event_count: 2 }])
  await ingest({ engine: other, clock }, 1, [granted])
  expect(await unjudged()).toHaveLength(1)
  await look()
  await expect.poll(alarms).toEqual([{ kind: 'unexpected_grant', event_count: 3 }])
})
