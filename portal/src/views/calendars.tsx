import type { Answer } from '../api/client.ts'
import { timesWords } from '../i18n/times-words.ts'
import './estate.css'
import { Text } from '@mantine/core'
import { IconWand } from '@tabler/icons-react'
import type { Calendar, CalendarFilling } from '../api/generated/types.ts'
import { useWords } from '../i18n/language.tsx'
import { defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'
import { Days } from './shown-times.tsx'

/** What was taken over; what somebody had edited stayed. */
function Filled({ filling }: { filling: CalendarFilling }) {
  const t = useWords()
  return (
    <>
      <Text size="sm">{timesWords(t).filled(filling.added.length, filling.changed.length)}</Text>
      <Days days={[...filling.added, ...filling.changed]} />
    </>
  )
}

export const calendars = defineView<Calendar>({
  resource: resources.calendars,
  columns: [
    'name',
    'region',
    'day_count',
    'last_day',
    { field: 'description', isExtra: true },
    { field: 'external_id', isExtra: true },
  ],
  order: 'name.asc',
  form: [
    {
      fields: [
        'name',
        'description',
        { field: 'region', hint: (t) => timesWords(t).regionHint },
        { field: 'days', kind: 'days' },
        'external_id',
      ],
    },
  ],
  detail: {
    subtitle: ({ description }) => description,
    sections: [
      { facts: ['region', 'day_count', 'last_day', 'external_id'] },
      { facts: [{ field: 'days', render: ({ days }) => <Days days={days} /> }] },
    ],
    tabs: [{ key: 'schedules', view: 'schedules', by: 'calendar_id', glimpse: ['name', 'windows', 'on_holiday'] }],
  },
  actions: [
    {
      name: 'fill',
      label: (t) => timesWords(t).propose,
      icon: IconWand,
      permission: 'calendars:write',
      isPrimary: true,
      title: (t) => timesWords(t).propose,
      text: (t) => timesWords(t).proposeText,
      form: {
        body: 'CalendarFill',
        sections: [
          {
            fields: [
              { field: 'region', hint: (t) => timesWords(t).regionHint, isNeeded: true },
              { field: 'from_year', isHalf: true },
              { field: 'to_year', isHalf: true },
            ],
          },
        ],
        initial: ({ region }) => {
          const year = new Date().getFullYear()
          return { region, from_year: year, to_year: year + 2 }
        },
      },
      done: (t) => timesWords(t).proposed,
      result: ({ data }: Answer<CalendarFilling>) => <Filled filling={data} />,
      resultTitle: (t) => timesWords(t).propose,
    },
  ],
})
