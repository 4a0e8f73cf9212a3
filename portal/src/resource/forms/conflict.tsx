import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { useWords } from '../../i18n/language.tsx'
import { ConfirmDialog } from '../dialog.tsx'

type Choice = 'overwrite' | 'load' | 'stay'

interface Conflict {
  /** Saves by the tag of what the form began with. Undefined: somebody else was first, and theirs is wanted. */
  save<T>(patch: (etag: string | undefined) => Promise<T>, etag: string | undefined): Promise<T | undefined>
  dialog: ReactNode
}

/** Asks what to do when somebody else was first. Escape goes back to the form, which keeps what was typed. */
export function useConflict(): Conflict {
  const t = useWords()
  const [question, setQuestion] = useState<{ choose(choice: Choice): void }>()
  return {
    async save(patch, etag) {
      try {
        return await patch(etag)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'VERSION_CONFLICT')) throw error
        const choice = await new Promise<Choice>((choose) => setQuestion({ choose }))
        setQuestion(undefined)
        if (choice === 'stay') throw error
        return choice === 'overwrite' ? patch(undefined) : undefined
      }
    },
    dialog: question && (
      <ConfirmDialog
        title={t.form.conflictTitle}
        text={t.form.conflictText}
        confirm={t.form.conflictOverwrite}
        isDangerous
        onConfirm={() => question.choose('overwrite')}
        onClose={() => question.choose('stay')}
      >
        <Button variant="light" onClick={() => question.choose('load')}>
          {t.form.conflictLoad}
        </Button>
      </ConfirmDialog>
    ),
  }
}
