import type { Messages } from '../messages.ts'

export const estate: Messages['estate'] = {
  doors: 'Türen',
  systems: 'Systeme',
  whoGetsIn: 'Personen mit Zutritt',
  usableCredentials: 'Nutzbare Zutrittsmedien',
  ground: 'Erdgeschoss',
  wings: 'Gebäudeteile',
}
