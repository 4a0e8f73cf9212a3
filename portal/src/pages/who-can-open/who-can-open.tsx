import type { Address } from '../../typed.ts'
import '../../views/estate.css'
import { Group, Paper, SegmentedControl, Stack } from '@mantine/core'
import { IconDoorEnter } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Openings } from '../../access/openings.tsx'
import { type Question, questionNames, questions } from '../../access/questions.ts'
import { useIsLimited, useMay, useMe } from '../../api/me.ts'
import { useWords } from '../../i18n/language.tsx'
import { EmptyState } from '../../resource/empty-state.tsx'
import { ReferenceInput } from '../../resource/inputs/reference-input.tsx'
import { Reference, useReferenced } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { Page } from '../../shell/page.tsx'
import { noteRecent } from '../../shell/recent.ts'
import { AskedBefore } from './asked-before.tsx'

/**
 * The one question of this field, asked about a door, a space or a person, at any moment. All of it is in the address.
 */
export function WhoCanOpenPage() {
  const t = useWords()
  const may = useMay()
  const navigate = useNavigate()
  const picked = useSearch({ strict: false })
  const possible = questionNames.filter((one) => may(resources[questions[one].of].read))
  const [kind, setKind] = useState<Question>(
    questionNames.find((one) => picked[one] !== undefined) ?? possible[0] ?? 'door',
  )
  const asked = questionNames.find((one) => picked[one] !== undefined) ?? kind
  const shown = picked[asked] === undefined ? kind : asked
  const id = picked[shown]
  const of = resources[questions[shown].of]
  const isLimited = useIsLimited()
  const { data: item } = useReferenced(of, id)
  const isGone = item === null
  const me = useMe()
  const noun = questions[shown].of
  useEffect(() => {
    if (item) noteRecent(me, 'asked', noun, item.id)
  }, [me, noun, item])
  /** Another question has another table; the moment stays. */
  const pick = (next: Question, value: string | undefined) =>
    void navigate({
      to: '.',
      search: ({ at, with: compared }: Address) => ({ [next]: value, at, with: compared }),
      resetScroll: false,
    })
  if (!may('access-points:audience')) {
    return (
      <Page title={t.opening.title} subtitle={t.opening.text}>
        <EmptyState icon={<IconDoorEnter size={28} aria-hidden />} title={t.words.notVisible} />
      </Page>
    )
  }
  return (
    <Page title={t.opening.title} subtitle={id && !isGone ? <Reference to={of} id={id} /> : t.opening.text}>
      <Stack gap="md">
        <Paper withBorder p="md" className="question no-print">
          <Group gap="md" align="flex-end">
            <SegmentedControl
              aria-label={t.opening.about}
              data={possible.map((value) => ({ value, label: t.opening.kinds[value] }))}
              value={shown}
              onChange={(value) => {
                setKind(value)
                pick(value, undefined)
              }}
            />
            <ReferenceInput
              key={shown}
              to={of}
              aria-label={t.opening.pick[shown]}
              placeholder={t.opening.pick[shown]}
              value={id ?? null}
              onChange={(value) => pick(shown, value ?? undefined)}
              className="question-pick"
              data-autofocus
            />
          </Group>
        </Paper>
        {id === undefined || isGone ? (
          <EmptyState
            icon={<IconDoorEnter size={28} aria-hidden />}
            title={!isGone ? t.opening.empty : isLimited(of.read) ? t.words.notVisible : t.words.notFound}
            text={t.opening.emptyText}
          >
            <AskedBefore />
          </EmptyState>
        ) : (
          <Openings key={id} question={shown} id={id} />
        )}
      </Stack>
    </Page>
  )
}
