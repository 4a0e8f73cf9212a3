import { IconArrowBackUp, IconBan, IconCheck } from '@tabler/icons-react'
import type { AccessReviewLine } from '../api/generated/types.ts'
import { useMay } from '../api/me.ts'
import { useWords } from '../i18n/language.tsx'
import { reviewWords } from '../i18n/review-words.ts'
import { type ActionDef, defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'
import { StatusBadge } from '../resource/shown/status-badge.tsx'

const resource = resources['access-review-lines']
const note: ActionDef<AccessReviewLine>['form'] = { body: 'AccessReviewStep', sections: [{ fields: ['note'] }] }
const permission = 'access-reviews:write'
const isRevocable = ({ decision, may_revoke: mayRevoke }: AccessReviewLine) => decision !== 'revoked' && mayRevoke

/** How it was decided; and why it is not revoked from here, before somebody looks for the way. */
function Decision({ line }: { line: AccessReviewLine }) {
  const t = useWords()
  const mayDecide = useMay()(permission)
  return (
    <div>
      <StatusBadge field="decision" value={line.decision} />
      {mayDecide && line.decision !== 'revoked' && !line.may_revoke && (
        <div className="dimmed review-why">{reviewWords(t).managedByOthers[line.means]}</div>
      )}
    </div>
  )
}

/** The lines of a review: confirming is done at once, and can be taken back. */
export const accessReviewLines = defineView<AccessReviewLine>({
  resource,
  columns: [
    'display_name',
    'means',
    'what',
    { field: 'doors', align: 'right' },
    { field: 'decision', render: (line) => <Decision line={line} /> },
    'note',
    { field: 'decided_by', isExtra: true },
    { field: 'decided_at', isExtra: true },
    { field: 'is_ended', isExtra: true },
  ],
  order: 'display_name',
  filters: [
    { field: 'decision', kind: 'values', values: ['open', 'confirmed', 'revoked'] },
    { field: 'means', kind: 'values', values: ['grant', 'group', 'key'] },
    { field: 'individual_id', kind: 'reference' },
    { field: 'is_ended', kind: 'boolean' },
  ],
  isFixed: () => true,
  actions: [
    {
      name: 'confirm',
      label: (t) => reviewWords(t).confirm,
      icon: IconCheck,
      permission,
      when: ({ decision }) => decision === 'open',
      title: (t) => reviewWords(t).confirmTitle,
      done: (t) => reviewWords(t).confirmed,
      undo: ({ id }) => ({ method: 'POST', path: `${resource.api}/${id}/reopen`, body: {} }),
    },
    {
      name: 'revoke',
      label: (t) => reviewWords(t).revoke,
      icon: IconBan,
      permission,
      isDangerous: true,
      isForSeveral: true,
      when: isRevocable,
      title: (t) => reviewWords(t).revokeTitle,
      text: (t) => reviewWords(t).revokeText,
      form: note,
      showsImpact: true,
      done: (t) => reviewWords(t).revoked,
    },
    {
      name: 'reopen',
      label: (t) => reviewWords(t).reopen,
      icon: IconArrowBackUp,
      permission,
      when: ({ decision }) => decision === 'confirmed',
      title: (t) => reviewWords(t).reopenTitle,
      done: (t) => reviewWords(t).reopened,
    },
  ],
})
