import { timesWords } from '../i18n/times-words.ts'
import './estate.css'
import type { Schedule } from '../api/generated/types.ts'
import { defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'
import { Timeline } from './schedule-timeline.tsx'
import { Windows } from './shown-times.tsx'

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
        { field: 'windows', kind: 'windows', hint: (t) => timesWords(t).windowsHint },
        { field: 'time_zone', hint: (t) => timesWords(t).zoneHint },
      ],
    },
    {
      title: (t) => timesWords(t).onHolidays,
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
      {
        key: 'doors',
        title: (t) => timesWords(t).unlockedBy,
        view: 'access-points',
        by: 'unlock_schedule_id',
        glimpse: ['name', 'label'],
      },
    ],
  },
})
