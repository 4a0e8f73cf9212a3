import { Group, NumberInput, Stack, Text } from '@mantine/core'
import type { RekeyingPlan } from '../../api/generated/types.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { LimitNote } from '../../resource/absence.tsx'
import { Reference } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'

interface RekeyingProps {
  plan: RekeyingPlan
  cost: number | string
  onCost(cost: number | string): void
}

/** Which cylinders to change, in which order, what each leaves open, and what it costs. */
export function Rekeying({
  plan: { steps, holders, copies, cost: total, limited_to: limits },
  cost,
  onCost,
}: RekeyingProps) {
  const t = useWords()
  const format = useFormat()
  if (steps === null) return <Text size="sm">{deskWords(t).rekeyingUnseen}</Text>
  if (steps.length === 0)
    return <Text size="sm">{limits ? deskWords(t).rekeyingUnseen : deskWords(t).nothingToRekey}</Text>
  return (
    <Stack gap="sm">
      <Group gap="md" align="flex-end">
        <NumberInput label={deskWords(t).costEach} min={0} value={cost} onChange={onCost} w={160} />
        <Text fw={600} role="status" pb={8}>
          {total === null ? '' : deskWords(t).cost(format.number(total))}
        </Text>
      </Group>
      <div className="table-frame">
        <table className="data-table" aria-label={deskWords(t).rekeying}>
          <thead>
            <tr>
              <th scope="col">{deskWords(t).step}</th>
              <th scope="col">{t.resources.cylinders.one}</th>
              <th scope="col">{t.resources['access-points'].one}</th>
              <th scope="col">{deskWords(t).stillOpen}</th>
              <th scope="col" data-align="right">
                {deskWords(t).newKeys}
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map((step, index) => (
              <tr key={step.cylinder_id}>
                <td data-label={deskWords(t).step} data-first>
                  {index + 1}
                </td>
                <td data-label={t.resources.cylinders.one}>
                  <Reference to={resources.cylinders} id={step.cylinder_id} fallback={step.number} />
                </td>
                <td data-label={t.resources['access-points'].one}>
                  <Reference
                    to={resources['access-points']}
                    id={step.access_point.id}
                    fallback={step.access_point.name ?? undefined}
                  />
                </td>
                <td data-label={deskWords(t).stillOpen}>
                  {step.still_open.length === 0
                    ? deskWords(t).none
                    : deskWords(t).doorsIn(step.still_open.length, format.number(step.still_open.length))}
                </td>
                <td data-label={deskWords(t).newKeys} data-align="right">
                  {format.number(step.copies)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {holders !== null && copies !== null && <Text size="sm">{deskWords(t).affected(holders, copies)}</Text>}
      {limits && <LimitNote resource={resources.cylinders} places={limits.map(({ name }) => name)} />}
    </Stack>
  )
}
