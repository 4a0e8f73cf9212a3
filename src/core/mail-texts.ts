/** What letters say. Plain text; the HTML is made of the same words. */
export type Language = 'en' | 'de'

/** Which letter, and what it needs to know beyond whom it is for. */
export interface MailFacts {
  invitation: { link: string; expiresAt: string }
  password_reset: { link: string; expiresAt: string }
  password_changed: { address: string | null }
  /** To the address before; `email` is the new one. */
  email_changed: { email: string }
  factor_changed: { what: FactorChange; address: string | null }
  token_expiring: { token: string; serviceUser: string; expiresAt: string }
  webhook_disabled: { url: string; reason: string }
}

export type MailKind = keyof MailFacts
export type FactorChange =
  | 'totp_enabled'
  | 'totp_disabled'
  | 'recovery_codes_renewed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'identity_connected'
  | 'identity_disconnected'
  | 'removed_by_administrator'

export interface Recipient {
  name: string
  organization: string
  timeZone: string
  language: Language
}

/** The words between "Hello" and the signature; a link stands in a line of its own. */
interface Words {
  subject: string
  paragraphs: string[]
  link?: string
  after?: string
}

type Writer = { [K in MailKind]: (facts: MailFacts[K], to: Recipient) => Words }

const at = (instant: string, { timeZone, language }: Recipient): string =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-CH' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
  }).format(new Date(instant))

const english: Record<FactorChange, string> = {
  totp_enabled: 'An authenticator app was set up as your second factor.',
  totp_disabled: 'Your second factor was switched off.',
  recovery_codes_renewed: 'New recovery codes were made; the old ones do not work any more.',
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
  identity_connected: 'An account of another provider was connected: you can log in with it.',
  identity_disconnected: 'An account of another provider was disconnected.',
  removed_by_administrator:
    'An administrator has removed your second factor, and logged you out everywhere. Log in and set up a new one.',
}
const german: Record<FactorChange, string> = {
  totp_enabled: 'Eine Authenticator-App wurde als zweiter Faktor eingerichtet.',
  totp_disabled: 'Der zweite Faktor wurde ausgeschaltet.',
  recovery_codes_renewed: 'Es wurden neue Wiederherstellungscodes erzeugt; die alten gelten nicht mehr.',
  passkey_added: 'Ein Passkey wurde zu Ihrem Konto hinzugefügt.',
  passkey_removed: 'Ein Passkey wurde von Ihrem Konto entfernt.',
  identity_connected: 'Ein Konto eines anderen Anbieters wurde verbunden: Sie können sich damit anmelden.',
  identity_disconnected: 'Die Verbindung zum Konto eines anderen Anbieters wurde gelöst.',
  removed_by_administrator:
    'Eine Administratorin oder ein Administrator hat Ihren zweiten Faktor entfernt und Sie überall abgemeldet. ' +
    'Melden Sie sich an und richten Sie einen neuen ein.',
}

const writers: Record<Language, Writer> = {
  en: {
    invitation: ({ link, expiresAt }, to) => ({
      subject: `Invitation to Gatehouse of ${to.organization}`,
      paragraphs: [`You are invited to Gatehouse of ${to.organization}. Follow this link to choose how you log in:`],
      link,
      after: `The link works once, until ${at(expiresAt, to)}.`,
    }),
    password_reset: ({ link, expiresAt }, to) => ({
      subject: 'A new password for Gatehouse',
      paragraphs: [`Follow this link to choose a new password for Gatehouse of ${to.organization}:`],
      link,
      after:
        `The link works once, until ${at(expiresAt, to)}. If you did not ask for it, there is nothing to do: ` +
        'your password stays as it is.',
    }),
    password_changed: ({ address }, to) => ({
      subject: 'Your password was changed',
      paragraphs: [
        `Your password for Gatehouse of ${to.organization} was changed${address ? ` (from ${address})` : ''}.`,
        beware.en,
      ],
    }),
    email_changed: ({ email }, to) => ({
      subject: 'Your e-mail address was changed',
      paragraphs: [
        `An administrator has changed the address with which you log in to Gatehouse of ${to.organization} to ` +
          `${email}. Nothing is sent to this one any more.`,
        beware.en,
      ],
    }),
    factor_changed: ({ what, address }, to) => ({
      subject: 'How you log in was changed',
      paragraphs: [
        `Gatehouse of ${to.organization}: ${english[what]}${address ? ` (From ${address}.)` : ''}`,
        beware.en,
      ],
    }),
    token_expiring: ({ token, serviceUser, expiresAt }, to) => ({
      subject: `The token “${token}” expires soon`,
      paragraphs: [
        `The token “${token}” of the service user “${serviceUser}” (${to.organization}) expires on ` +
          `${at(expiresAt, to)}. Rotate it before, or what uses it will stop working.`,
      ],
    }),
    webhook_disabled: ({ url, reason }, to) => ({
      subject: 'A webhook of yours was disabled',
      paragraphs: [
        `Gatehouse of ${to.organization} could not deliver to ${url} (${reason}) and has stopped trying. When ` +
          'the receiver works again, make the webhook active: it goes on where it was.',
      ],
    }),
  },
  de: {
    invitation: ({ link, expiresAt }, to) => ({
      subject: `Einladung zu Gatehouse von ${to.organization}`,
      paragraphs: [
        `Sie sind zu Gatehouse von ${to.organization} eingeladen. Über diesen Link wählen Sie, wie Sie sich ` +
          'anmelden:',
      ],
      link,
      after: `Der Link gilt einmal, bis ${at(expiresAt, to)}.`,
    }),
    password_reset: ({ link, expiresAt }, to) => ({
      subject: 'Ein neues Passwort für Gatehouse',
      paragraphs: [`Über diesen Link wählen Sie ein neues Passwort für Gatehouse von ${to.organization}:`],
      link,
      after:
        `Der Link gilt einmal, bis ${at(expiresAt, to)}. Wenn Sie ihn nicht angefordert haben, ist nichts zu ` +
        'tun: Ihr Passwort bleibt, wie es ist.',
    }),
    password_changed: ({ address }, to) => ({
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [
        `Ihr Passwort für Gatehouse von ${to.organization} wurde geändert${address ? ` (von ${address})` : ''}.`,
        beware.de,
      ],
    }),
    email_changed: ({ email }, to) => ({
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      paragraphs: [
        'Eine Administratorin oder ein Administrator hat die Adresse, mit der Sie sich bei Gatehouse von ' +
          `${to.organization} anmelden, in ${email} geändert. An diese hier wird nichts mehr geschickt.`,
        beware.de,
      ],
    }),
    factor_changed: ({ what, address }, to) => ({
      subject: 'Ihre Anmeldung wurde geändert',
      paragraphs: [
        `Gatehouse von ${to.organization}: ${german[what]}${address ? ` (Von ${address}.)` : ''}`,
        beware.de,
      ],
    }),
    token_expiring: ({ token, serviceUser, expiresAt }, to) => ({
      subject: `Das Token „${token}“ läuft bald ab`,
      paragraphs: [
        `Das Token „${token}“ des Dienstbenutzers „${serviceUser}“ (${to.organization}) läuft am ` +
          `${at(expiresAt, to)} ab. Erneuern Sie es vorher, sonst funktioniert nicht mehr, was es benutzt.`,
      ],
    }),
    webhook_disabled: ({ url, reason }, to) => ({
      subject: 'Einer Ihrer Webhooks wurde ausgeschaltet',
      paragraphs: [
        `Gatehouse von ${to.organization} konnte an ${url} nicht zustellen (${reason}) und versucht es nicht ` +
          'mehr. Wenn der Empfänger wieder geht, schalten Sie den Webhook ein: Er fährt dort fort, wo er war.',
      ],
    }),
  },
}

const beware: Record<Language, string> = {
  en: 'If it was not you, tell your administrator at once.',
  de: 'Wenn Sie das nicht waren, melden Sie es sofort Ihrer Administration.',
}
const greeting: Record<Language, (name: string) => string> = {
  en: (name) => `Hello ${name}`,
  de: (name) => `Guten Tag ${name}`,
}

export interface Letter {
  subject: string
  greeting: string
  paragraphs: string[]
  link: string | undefined
  after: string | undefined
}

export function writeLetter<K extends MailKind>(kind: K, facts: MailFacts[K], to: Recipient): Letter {
  const { subject, paragraphs, link, after } = writers[to.language][kind](facts, to)
  return {
    subject: oneLine(subject),
    greeting: oneLine(greeting[to.language](to.name)),
    paragraphs: paragraphs.map(oneLine),
    link,
    after,
  }
}

/** Names are other people's words: they begin no line of their own. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

export const plainText = ({ greeting, paragraphs, link, after }: Letter): string =>
  `${[greeting, ...paragraphs, link, after].filter((part) => part !== undefined).join('\n\n')}\n`
