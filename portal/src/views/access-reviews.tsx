import { keysOf } from '../typed.ts'
import './access-reviews.css'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconBan, IconFileCertificate, IconLock, IconPlayerPlay, IconPrinter } from '@tabler/icons-react'
import type { AccessReview } from '../api/generated/types.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { reviewWords } from '../i18n/review-words.ts'
import { defineView, type FormFieldDef } from '../resource/define-view.ts'
import { Located } from '../resource/located.tsx'
import { resources } from '../resource/resources.ts'
import { Nothing } from '../resource/shown/value.tsx'

const resource = resources['access-reviews']
const PLACES = { building_id: 'buildings', location_id: 'locations' } as const
const places = keysOf(PLACES)
const where: FormFieldDef[] = places.map((field) => ({
  field,
  when: (values) => !places.some((one) => one !== field && values[one]),
}))
const isRunning = ({ status }: AccessReview) => status === 'running'
const isDraft = ({ status }: AccessReview) => status === 'draft'

function Where({ review }: { review: AccessReview }) {
  const field = review.building_id === null ? 'location_id' : 'building_id'
  return <Located end={{ resource: resources[PLACES[field]], id: review[field] ?? '' }} />
}

function Progress({ review: { status, line_count, open_count } }: { review: AccessReview }) {
  const t = useWords()
  const format = useFormat()
  if (status === 'draft') return <Nothing />
  const done = line_count - open_count
  const text = reviewWords(t).decided(format.number(done), format.number(line_count))
  return (
    <span className="review-progress">
      <progress value={done} max={Math.max(line_count, 1)} aria-label={text} />
      <span className="number">{text}</span>
    </span>
  )
}

/** What is to be done next, or where the evidence is. */
function Lead({ review }: { review: AccessReview }) {
  const t = useWords()
  if (review.status === 'closed') {
    const report = `${resource.api}/${review.id}/report`
    return (
      <Alert color="green" icon={<IconFileCertificate size={18} aria-hidden />}>
        <Group justify="space-between" gap="sm">
          <Text size="sm">{reviewWords(t).evidence}</Text>
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              component="a"
              href={`${report}/pdf`}
              leftSection={<IconPrinter size={14} aria-hidden />}
            >
              {reviewWords(t).pdf}
            </Button>
            <Button
              size="xs"
              variant="default"
              component="a"
              href={report}
              leftSection={<IconFileCertificate size={14} aria-hidden />}
            >
              {reviewWords(t).json}
            </Button>
          </Group>
        </Group>
      </Alert>
    )
  }
  if (isDraft(review)) return <Alert color="blue">{reviewWords(t).notStarted}</Alert>
  return isRunning(review) && review.open_count === 0 ? <Alert color="blue">{reviewWords(t).allDecided}</Alert> : null
}

export const accessReviews = defineView<AccessReview>({
  resource,
  columns: [
    'name',
    { key: 'place', title: (t) => reviewWords(t).place, render: (review) => <Where review={review} />, madeOf: places },
    'status',
    { key: 'progress', title: (t) => reviewWords(t).progress, render: (review) => <Progress review={review} /> },
    'due_on',
    'reviewer',
    { field: 'started_at', isExtra: true },
    { field: 'closed_at', isExtra: true },
    { field: 'closed_by', isExtra: true },
  ],
  order: 'due_on',
  filters: [
    { field: 'status', kind: 'values', values: ['draft', 'running', 'closed', 'cancelled'] },
    { field: 'building_id', kind: 'reference' },
    { field: 'location_id', kind: 'reference' },
  ],
  startsInOwnPlace: true,
  form: [
    { fields: ['name'] },
    { title: (t) => reviewWords(t).place, fields: where },
    {
      title: (t) => reviewWords(t).when,
      fields: [{ field: 'due_on', isHalf: true }, { field: 'reviewer', isHalf: true }, 'external_id'],
    },
  ],
  detail: {
    badges: ['status'],
    lead: (review) => <Lead review={review} />,
    sections: [
      { look: 'figures', facts: ['line_count', 'open_count', 'confirmed_count', 'revoked_count'] },
      {
        facts: [
          { key: 'place', title: (t) => reviewWords(t).place, render: (review) => <Where review={review} /> },
          { key: 'progress', title: (t) => reviewWords(t).progress, render: (review) => <Progress review={review} /> },
          'due_on',
          'reviewer',
          'started_at',
          'started_by',
          'closed_at',
          'closed_by',
        ],
      },
    ],
    tabs: [
      {
        key: 'lines',
        view: 'access-review-lines',
        by: 'access_review_id',
        isCreatedAbove: true,
        isOver: (review) => !isRunning(review),
      },
    ],
  },
  isFixed: ({ status }) => status === 'closed' || status === 'cancelled',
  isDeletable: isDraft,
  actions: [
    {
      name: 'start',
      label: (t) => reviewWords(t).start,
      icon: IconPlayerPlay,
      permission: 'access-reviews:write',
      when: isDraft,
      isPrimary: true,
      title: (t) => reviewWords(t).startTitle,
      text: (t) => reviewWords(t).startText,
      done: (t) => reviewWords(t).started,
    },
    {
      name: 'close',
      label: (t) => reviewWords(t).close,
      icon: IconLock,
      permission: 'access-reviews:write',
      when: (review) => isRunning(review) && review.open_count === 0,
      isPrimary: true,
      title: (t) => reviewWords(t).closeTitle,
      text: (t) => reviewWords(t).closeText,
      done: (t) => reviewWords(t).closed,
    },
    {
      name: 'cancel',
      label: (t) => reviewWords(t).cancel,
      icon: IconBan,
      permission: 'access-reviews:write',
      when: isRunning,
      isDangerous: true,
      title: (t) => reviewWords(t).cancelTitle,
      text: (t) => reviewWords(t).cancelText,
      done: (t) => reviewWords(t).cancelled,
    },
  ],
})
