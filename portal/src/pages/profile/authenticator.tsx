import { Alert, Anchor, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { RecoveryCodes, TotpEnrolment } from '../../api/generated/types.ts'
import { useMe } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { ConfirmDialog, ResultDialog } from '../../resource/dialog.tsx'
import { ToneBadge } from '../../resource/shown/status-badge.tsx'
import { CopyText } from '../../shell/copy.tsx'
import { ErrorNote, useFaultText } from '../../shell/error-note.tsx'
import { QrCode } from './qr-code.tsx'

type Open =
  | { kind: 'disable' }
  | { kind: 'renew' }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'enrol'; made: TotpEnrolment }

const FEW = 3

/** The second factor: an authenticator app, and recovery codes for when it is gone. */
export function Authenticator() {
  const t = useWords()
  const format = useFormat()
  const { user } = useMe()
  const begin = useChange<TotpEnrolment>()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const start = async () => {
    const { data } = await begin.mutateAsync({ method: 'POST', path: '/api/v1/me/totp', body: {} })
    setOpen({ kind: 'enrol', made: data })
  }
  return (
    <>
      <Group gap="sm">
        {user?.mfa ? (
          <>
            <ToneBadge tone="good">{t.profile.factorOn}</ToneBadge>
            <Text
              size="sm"
              c={user.recovery_codes_left <= FEW ? undefined : 'dimmed'}
              fw={user.recovery_codes_left <= FEW ? 600 : 400}
            >
              {t.profile.codesLeft(format.number(user.recovery_codes_left))}
            </Text>
          </>
        ) : (
          <ToneBadge tone="waiting">{t.profile.factorOff}</ToneBadge>
        )}
      </Group>
      {begin.error && <ErrorNote error={begin.error} />}
      <Group gap="xs">
        {user?.mfa ? (
          <>
            <Button variant="default" onClick={() => setOpen({ kind: 'renew' })}>
              {t.profile.renewCodes}
            </Button>
            <Button variant="default" c="var(--mantine-color-error)" onClick={() => setOpen({ kind: 'disable' })}>
              {t.profile.disableFactor}
            </Button>
          </>
        ) : (
          <Button variant="default" loading={begin.isPending} onClick={() => void start().catch(() => undefined)}>
            {t.profile.enableFactor}
          </Button>
        )}
      </Group>
      {open?.kind === 'enrol' && (
        <Enrol made={open.made} onConfirmed={(codes) => setOpen({ kind: 'codes', codes })} onClose={close} />
      )}
      {open?.kind === 'codes' && <Codes codes={open.codes} onClose={close} />}
      {open?.kind === 'disable' && <Disable onClose={close} />}
      {open?.kind === 'renew' && <Renew onCodes={(codes) => setOpen({ kind: 'codes', codes })} onClose={close} />}
    </>
  )
}

interface EnrolProps {
  made: TotpEnrolment
  onConfirmed(codes: readonly string[]): void
  onClose(): void
}

export function Enrol({ made: { secret = '', uri = '' }, onConfirmed, onClose }: EnrolProps) {
  const t = useWords()
  const confirm = useChange<RecoveryCodes>()
  const [code, setCode] = useState('')
  const fault = useFaultText()(confirm.error, 'code', t.profile.wrongCode)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { data } = await confirm.mutateAsync({
      method: 'POST',
      path: '/api/v1/me/totp/confirm',
      body: { code: code.replaceAll(/\s/g, '') },
    })
    onConfirmed(data.recovery_codes ?? [])
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.profile.enableFactor}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t.words.close }}
    >
      <form onSubmit={(event) => void submit(event).catch(() => undefined)}>
        <Stack gap="md">
          <Text size="sm">{t.profile.scan}</Text>
          <QrCode text={uri} label={t.profile.qrLabel} />
          <Stack gap={4}>
            <Text size="sm" c="dimmed">
              {t.profile.orType}
            </Text>
            <Group gap="xs" wrap="nowrap">
              <code className="secret-key">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
              <CopyText value={secret} isSmall />
            </Group>
            <Anchor size="sm" href={uri}>
              {t.profile.openApp}
            </Anchor>
          </Stack>
          <TextInput
            label={t.profile.codeOfApp}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            value={code}
            error={fault}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            required
            withAsterisk={false}
            data-autofocus
          />
          {confirm.error && !fault && <ErrorNote error={confirm.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t.words.cancel}
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              {t.profile.confirmFactor}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Shown this once; closed by saying that they are kept. */
export function Codes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const t = useWords()
  const text = `${codes.join('\n')}\n`
  const download = () => {
    const address = URL.createObjectURL(new Blob([`Gatehouse ${location.host}\n\n${text}`], { type: 'text/plain' }))
    Object.assign(document.createElement('a'), { href: address, download: 'gatehouse-recovery-codes.txt' }).click()
    URL.revokeObjectURL(address)
  }
  return (
    <ResultDialog title={t.profile.codesTitle} isSecret onClose={onClose}>
      <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
        {t.profile.codesText}
      </Alert>
      <ul className="recovery-codes" aria-label={t.profile.codesTitle}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyText value={text} />
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={download}>
          {t.profile.download}
        </Button>
      </Group>
    </ResultDialog>
  )
}

function Disable({ onClose }: { onClose(): void }) {
  const t = useWords()
  const change = useChange()
  const disable = async () => {
    await change.mutateAsync({ method: 'POST', path: '/api/v1/me/totp/disable', body: {} })
    notifications.show({ message: t.profile.factorDisabled, color: 'green' })
    onClose()
  }
  return (
    <ConfirmDialog
      title={t.profile.disableFactorTitle}
      text={t.profile.disableFactorText}
      confirm={t.profile.disableFactor}
      isDangerous
      isBusy={change.isPending}
      onConfirm={() => void disable().catch(() => undefined)}
      onClose={onClose}
    >
      {change.error && <ErrorNote error={change.error} />}
    </ConfirmDialog>
  )
}

function Renew({ onCodes, onClose }: { onCodes(codes: readonly string[]): void; onClose(): void }) {
  const t = useWords()
  const change = useChange<RecoveryCodes>()
  const renew = async () => {
    const { data } = await change.mutateAsync({ method: 'POST', path: '/api/v1/me/recovery-codes', body: {} })
    onCodes(data.recovery_codes ?? [])
  }
  return (
    <ConfirmDialog
      title={t.profile.renewCodesTitle}
      text={t.profile.renewCodesText}
      confirm={t.profile.renewCodes}
      isBusy={change.isPending}
      onConfirm={() => void renew().catch(() => undefined)}
      onClose={onClose}
    >
      {change.error && <ErrorNote error={change.error} />}
    </ConfirmDialog>
  )
}
