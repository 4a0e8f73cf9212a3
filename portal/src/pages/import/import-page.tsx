import { Alert, Button, FileInput, Group, Paper, Select, Stack } from '@mantine/core'
import { IconCircleCheck, IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import type { Import } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { type Noun, resources } from '../../resource/resources.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { Page } from '../../shell/page.tsx'
import { ImportColumns, type Mapping } from './import-columns.tsx'
import { ImportResult } from './import-result.tsx'
import { importWords } from './import-words.ts'

const API = '/api/v1/imports'
const POLL_MS = 700

const nouns = [
  ...(['individuals', 'credentials', 'access-groups', 'access-grants', 'schedules', 'calendars', 'visits'] as const),
  ...(['locations', 'buildings', 'spaces', 'access-points', 'access-control-systems'] as const),
  ...(['locking-system', 'key-types', 'keys', 'cylinders'] as const),
  ...(['users', 'service-users', 'roles', 'role-assignments'] as const),
] satisfies Noun[]
type Imported = (typeof nouns)[number]

const isUnderWay = ({ status }: Import) => ['reading', 'checking', 'running'].includes(status)

interface Asked {
  noun: Imported
  file: File
  mapping?: Mapping | undefined
}

/** Sends the file to be tried. */
async function tryFile({ noun, file, mapping }: Asked): Promise<Import> {
  const form = new FormData()
  form.set('resource', noun)
  if (mapping) form.set('mapping', JSON.stringify(mapping))
  form.set('dry_run', 'true')
  form.set('file', file, file.name)
  return (await call<Import>(API, { method: 'POST', body: form, withoutKey: true })).data
}

/**
 * From a file to items, step by step: what it is, what its columns mean, what would become of each row, and then the
 * run.
 */
export function ImportPage() {
  const t = useWords()
  const words = importWords(t)
  const may = useMay()
  const client = useQueryClient()
  const [noun, setNoun] = useState<Imported | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [mapping, setMapping] = useState<Mapping>()
  const step = useChange<Import>()
  const tried = useMutation({
    mutationFn: tryFile,
    onSuccess: (made) => {
      client.setQueryData(['import', made.id], made)
      setMapping(made.mapping)
    },
  })
  const id = tried.data?.id
  const followed = useQuery({
    queryKey: ['import', id],
    queryFn: async ({ signal }) => (await call<Import>(`${API}/${id}`, { signal })).data,
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
  })
  const error = tried.error ?? step.error ?? followed.error
  const current = id === undefined ? undefined : followed.data
  const isOver = current?.status === 'done' || current?.status === 'cancelled'
  useEffect(() => {
    // What has come in is shown everywhere.
    if (isOver) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'import' })
  }, [isOver, client])
  const restart = () => {
    tried.reset()
    step.reset()
    setMapping(undefined)
  }
  const options = nouns
    .filter((one) => resources[one].write !== undefined && may(resources[one].write))
    .map((value) => ({ value, label: t.resources[value].many }))
  const take = (verb: 'run' | 'cancel') => step.mutate({ method: 'POST', path: `${API}/${id}/${verb}` })
  return (
    <Page title={t.nav.import} subtitle={words.text}>
      <Stack gap="md">
        <Paper withBorder p="md">
          <Group align="flex-start" gap="md">
            <Select
              label={words.what}
              placeholder={t.form.choose}
              data={options}
              value={noun}
              onChange={(value) => {
                setNoun(value)
                restart()
              }}
              searchable
              w={{ base: '100%', xs: 260 }}
            />
            <FileInput
              label={words.file}
              description={words.fileHint}
              inputWrapperOrder={['label', 'input', 'description']}
              placeholder={words.choose}
              leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
              accept=".csv,.xlsx"
              value={file}
              onChange={(chosen) => {
                setFile(chosen)
                restart()
              }}
              w={{ base: '100%', xs: 320 }}
            />
            <Button
              mt={{ base: 0, xs: 22 }}
              disabled={noun === null || file === null}
              loading={tried.isPending}
              variant={current ? 'default' : 'filled'}
              onClick={() => noun && file && tried.mutate({ noun, file })}
            >
              {words.try}
            </Button>
          </Group>
        </Paper>
        {error && <ErrorNote error={error} />}
        {noun && file && current && mapping && !isOver && current.status !== 'running' && (
          <ImportColumns
            create={resources[noun].create}
            columns={current.columns}
            mapping={mapping}
            onChange={setMapping}
            isChanged={current.columns.some((column) => mapping[column] !== current.mapping[column])}
            isPending={tried.isPending}
            onTry={() => tried.mutate({ noun, file, mapping })}
          />
        )}
        {current?.status === 'done' && noun && (
          <Alert
            color={current.failed > 0 ? 'yellow' : 'green'}
            icon={<IconCircleCheck size={18} aria-hidden />}
            role="status"
          >
            <Group justify="space-between">
              {current.failed > 0 ? words.doneInPart : words.done}
              {resources[noun].path !== undefined && (
                <Button
                  size="compact-sm"
                  variant="default"
                  renderRoot={(props) => <Link to={resources[noun].path ?? '/'} {...props} />}
                >
                  {words.show}
                </Button>
              )}
            </Group>
          </Alert>
        )}
        {current?.status === 'cancelled' && (
          <Alert color="yellow" role="status">
            {words.cancelled}
          </Alert>
        )}
        {current && <ImportResult current={current} isUnderWay={isUnderWay(current)} isOver={isOver} />}
        {current && (
          <Group>
            {current.status === 'checked' && current.failed < current.rows && (
              <Button loading={step.isPending} onClick={() => take('run')}>
                {words.run}
              </Button>
            )}
            {isUnderWay(current) && (
              <Button variant="default" loading={step.isPending} onClick={() => take('cancel')}>
                {words.cancel}
              </Button>
            )}
            {current.failed > 0 && (
              <Button variant="default" component="a" href={`${API}/${current.id}/failed-rows`} download>
                {words.failedRows}
              </Button>
            )}
            {isOver && (
              <Button
                variant="default"
                onClick={() => {
                  setFile(null)
                  restart()
                }}
              >
                {words.another}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Page>
  )
}
