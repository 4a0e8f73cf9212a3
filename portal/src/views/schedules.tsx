import './estate.css'
import { Stack } from '@mantine/core'
import type { Schedule } from '../api/generated/types.ts'
import { useLanguage } from '../i18n/language.tsx'
import { defineView } from '../resource/define-view.ts'
import { type DayWindow, daysText } from '../resource/inputs/week.ts'
import { resources } from '../resource/resources.ts'
import { Nothing } from '../resource/shown/value.tsx'
import { Timeline } from './schedule-timeline.tsx'

/** Mon–Fri 08:00–18:00, a line for each window. */
function Windows({ windows }: { windows: readonly DayWindow[] }) {
  const { language } = useLanguage()
  if (windows.length === 0) return <Nothing />
  return (
    <Stack gap={0} component="span">
      {windows.map(({ days, start, end }) => (
        <span key={`${days?.join()} ${start} ${end}`}>{`${days ? `${daysText(language, days)} ` : ''}${start}–${end}`}</span>
      ))}
    </Stack>
  )
}

export const schedules = defineView<Schedule>({
  resource: resources.schedules,
  columns: [
    'name',
    { field: 'windows', isUnsortable: true, render: ({ windows }) => <Windows windows={windows} /> },
    'on_holiday',
    'calendar_id',
    { field: 'description', isExtra: true },
    { field: 'time_zone', isExtra: true },
    { field: 'external_id', isExtra: true },
  ],
  order: 'name.asc',
  filters: [
    { field: 'calendar_id', kind: 'reference' },
    { field: 'on_holiday', kind: 'values', values: ['closed', 'as_usual', 'windows'] },
  ],
  form: [
    {
      fields: [
        'name',
        'description',
        { field: 'windows', kind: 'windows', hint: (t) => t.times.windowsHint },
        { field: 'time_zone', hint: (t) => t.times.zoneHint },
      ],
    },
    {
      title: (t) => t.times.onHolidays,
      fields: [
        { field: 'calendar_id', isHalf: true },
        { field: 'on_holiday', isHalf: true },
        { field: 'holiday_windows', kind: 'holiday_windows', when: ({ on_holiday: rule }) => rule === 'windows' },
        'external_id',
      ],
    },
  ],
  detail: {
    subtitle: ({ description }) => description,
    sections: [
      {
        facts: [
          { field: 'windows', render: ({ windows }) => <Windows windows={windows} /> },
          'on_holiday',
          'calendar_id',
          { field: 'holiday_windows', render: ({ holiday_windows: windows }) => <Windows windows={windows} /> },
          'time_zone',
          'external_id',
        ],
      },
    ],
    extra: ({ id }) => <Timeline id={id} />,
    tabs: [
      { key: 'grants', view: 'access-grants', by: 'schedule_id', glimpse: ['who', 'what', 'effect', 'status'] },
      { key: 'doors', title: (t) => t.times.unlockedBy, view: 'access-points', by: 'unlock_schedule_id', glimpse: ['name', 'label'] },
    ],
  },
})
