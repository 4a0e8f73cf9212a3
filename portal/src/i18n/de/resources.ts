import type { ResourceWords } from '../messages.ts'

export const resources: ResourceWords = {
  locations: {
    one: 'Standort',
    many: 'Standorte',
    empty:
      'Ein Standort ist ein Land, eine Stadt oder ein Gelände. Gebäude stehen an Standorten: Fangen Sie mit einem an.',
  },
  buildings: { one: 'Gebäude', many: 'Gebäude', empty: 'Ein Gebäude hat Räume, und Türen führen hinein.' },
  'floor-plans': { one: 'Grundriss', many: 'Grundrisse', empty: '' },
  spaces: {
    one: 'Raum',
    many: 'Räume',
    empty: 'Ein Raum ist ein Zimmer oder Bereich eines Gebäudes. Türen führen in Räume.',
  },
  'access-points': {
    one: 'Zutrittspunkt',
    many: 'Zutrittspunkte',
    empty: 'Türen, Tore, Schranken: alles, was sich öffnen lässt. Jeder Zutrittspunkt führt in einen Raum.',
  },
  'locking-system': {
    one: 'Schließanlage',
    many: 'Schließanlagen',
    empty: 'Eine Schließanlage fasst Schließzylinder und die passenden Schlüssel zusammen.',
  },
  cylinders: {
    one: 'Schließzylinder',
    many: 'Schließzylinder',
    empty: 'Erfassen Sie die Zylinder einer Schließanlage und die Türen, in denen sie sitzen.',
  },
  'key-types': {
    one: 'Schlüsseltyp',
    many: 'Schlüsseltypen',
    empty: 'Ein Schlüsseltyp steht für alle Schlüssel mit derselben Schließung.',
  },
  keys: {
    one: 'Schlüssel',
    many: 'Schlüssel',
    empty: 'Erfassen Sie die Exemplare eines Schlüsseltyps, um sie auszugeben.',
  },
  'key-handovers': {
    one: 'Übergabe',
    many: 'Schlüsselbuch',
    none: 'Noch keine Übergaben',
    unseen: 'Keine Übergaben, die Sie sehen dürfen',
    empty: 'Jeder Schlüssel, der einer Person ausgegeben wird, steht hier.',
  },
  'access-control-systems': {
    one: 'Zutrittskontrollsystem',
    many: 'Zutrittskontrollsysteme',
    empty: 'Verbinden Sie das System, das Ihre elektronischen Türen steuert.',
  },
  individuals: { one: 'Person', many: 'Personen', empty: 'Erfassen Sie die Menschen, die durch Ihre Türen gehen.' },
  credentials: {
    one: 'Zutrittsmedium',
    many: 'Zutrittsmedien',
    empty: 'Karten, PINs und Smartphones: womit Menschen Türen öffnen.',
  },
  'access-groups': {
    one: 'Zutrittsgruppe',
    many: 'Zutrittsgruppen',
    empty: 'Fassen Sie Personen mit gleichem Zutritt in einer Gruppe zusammen und berechtigen Sie die Gruppe.',
  },
  'access-group-members': {
    one: 'Mitglied',
    many: 'Mitglieder',
    empty: 'Wer in der Gruppe ist, erhält ihren Zutritt.',
  },
  memberships: {
    one: 'Mitgliedschaft',
    many: 'Gruppen',
    none: 'Noch in keiner Gruppe',
    empty: 'Mitglieder einer Gruppe erhalten den Zutritt, der der Gruppe gewährt wurde.',
  },
  'access-grants': {
    one: 'Zutrittsberechtigung',
    many: 'Zutrittsberechtigungen',
    empty: 'Eine Berechtigung sagt, wer was öffnen darf und wie lange.',
  },
  'access-requests': {
    one: 'Zutrittsantrag',
    many: 'Zutrittsanträge',
    empty: 'Wer Zutritt braucht, bittet hier darum; wer ihn geben darf, entscheidet.',
  },
  'access-reviews': {
    one: 'Zutrittsprüfung',
    many: 'Zutrittsprüfungen',
    empty:
      'Eine Prüfung listet auf, wer an einem Ort was öffnen darf; jemand bestätigt oder entzieht es Zeile für Zeile, ' +
      'und der Bericht wird signiert.',
  },
  'access-review-lines': {
    one: 'Zeile',
    many: 'Wer was öffnen darf',
    search: 'Zeilen',
    none: 'Noch ist nichts aufgelistet',
    unseen: 'Sie sehen hier keine Zeilen',
    empty: 'Wer dort was öffnen darf, wird mit dem Beginn der Prüfung aufgelistet.',
  },
  schedules: {
    one: 'Zeitplan',
    many: 'Zeitpläne',
    empty: 'Ein Zeitplan sagt, wann eine Berechtigung gilt oder eine Tür offen steht.',
  },
  calendars: {
    one: 'Kalender',
    many: 'Kalender',
    empty: 'Ein Kalender enthält die Feiertage, nach denen sich Zeitpläne richten.',
  },
  lockdowns: {
    one: 'Notfall',
    many: 'Notfälle',
    none: 'Noch kein Notfall',
    empty: 'Im Notfall wird ein Ort von hier aus verschlossen oder evakuiert. Eine Übung berührt keine Tür.',
  },
  'who-can-open': {
    one: 'Person',
    many: 'Wer hat Zutritt',
    search: 'Personen',
    none: 'Niemand kann hier öffnen',
    unseen: 'Niemand, den Sie sehen dürfen, kann hier öffnen',
    empty: 'Zu diesem Zeitpunkt gilt hier keine Berechtigung, die Sie sehen dürfen.',
  },
  'who-can-enter': {
    one: 'Person',
    many: 'Wer hat Zutritt',
    search: 'Personen',
    none: 'Niemand kommt hier hinein',
    unseen: 'Niemand, den Sie sehen dürfen, kommt hier hinein',
    empty: 'Zu diesem Zeitpunkt gilt hier keine Berechtigung, die Sie sehen dürfen.',
  },
  'can-open': {
    one: 'Tür',
    many: 'Türen',
    none: 'Nichts lässt sich öffnen',
    unseen: 'Nichts, was Sie sehen dürfen, lässt sich öffnen',
    empty: '',
  },
  'who-can-open-changes': {
    one: 'Änderung',
    many: 'Änderungen',
    none: 'Nichts ist anders',
    unseen: 'Nichts, was Sie sehen dürfen, ist anders',
    empty: 'Zu beiden Zeiten sind dieselben Personen berechtigt.',
  },
  'who-can-enter-changes': {
    one: 'Änderung',
    many: 'Änderungen',
    none: 'Nichts ist anders',
    unseen: 'Nichts, was Sie sehen dürfen, ist anders',
    empty: 'Zu beiden Zeiten sind dieselben Personen berechtigt.',
  },
  'can-open-changes': {
    one: 'Änderung',
    many: 'Änderungen',
    none: 'Nichts ist anders',
    unseen: 'Nichts, was Sie sehen dürfen, ist anders',
    empty: 'Zu beiden Zeiten besteht die Berechtigung an denselben Türen.',
  },
  'access-events': {
    one: 'Ereignis',
    many: 'Ereignisse',
    none: 'Noch ist nichts geschehen',
    unseen: 'Noch ist nichts geschehen, was Sie sehen dürfen',
    empty: 'Was Türen und ihre Systeme melden, steht hier.',
  },
  alarms: {
    one: 'Alarm',
    many: 'Alarme',
    none: 'Noch gab es keinen Alarm',
    unseen: 'Kein Alarm, den Sie sehen dürfen, ist offen',
    empty:
      'Eine aufgebrochene oder offen gehaltene Tür, Manipulation, Bedrohung, ein System ohne Kontakt: wonach jemand ' +
      'sehen muss.',
  },
  commands: {
    one: 'Befehl',
    many: 'Befehle',
    none: 'Noch wurde nichts aus der Ferne getan',
    unseen: 'Nichts, was Sie sehen dürfen, wurde aus der Ferne getan',
    empty: 'Was jemand eine Tür aus der Ferne tun lässt, steht hier, mit dem Ergebnis.',
  },
  visits: {
    one: 'Besuch',
    many: 'Besuche',
    none: 'Noch ist kein Besuch angekündigt',
    unseen: 'Kein Besuch, den Sie sehen dürfen, ist angekündigt',
    empty: 'Kündigen Sie an, wer wann zu wem kommt: Dafür gibt es für diese Zeit einen QR-Code oder eine PIN.',
  },
  webhooks: {
    one: 'Webhook',
    many: 'Webhooks',
    empty: 'Sendet, was geschieht, an eine Adresse von Ihnen, während es geschieht: signiert und in der Reihenfolge.',
  },
  'webhook-deliveries': {
    one: 'Zustellung',
    many: 'Zustellungen',
    none: 'In den letzten sieben Tagen wurde nichts gesendet',
    empty: 'Jeder Versuch steht hier mit dem, was zurückkam.',
  },
  organization: { one: 'Organisation', many: 'Organisation', empty: '' },
  users: { one: 'Benutzer', many: 'Benutzer', empty: 'Laden Sie die Menschen ein, die mit Gatehouse arbeiten.' },
  'service-users': {
    one: 'Dienstbenutzer',
    many: 'Dienstbenutzer',
    empty:
      'Ein Dienstbenutzer steht für andere Software, die die API nutzt. Legen Sie einen an und geben Sie ihm ein ' +
      'Token und eine Rolle.',
  },
  tokens: {
    one: 'Token',
    many: 'Tokens',
    empty:
      'Software weist sich mit einem Token aus. Erstellen Sie eines, um die API als dieser Dienstbenutzer zu nutzen.',
  },
  roles: { one: 'Rolle', many: 'Rollen und Berechtigungen', empty: 'Eine Rolle ist eine Menge von Berechtigungen.' },
  'role-assignments': {
    one: 'Rolle',
    many: 'Rollen',
    empty: 'Ohne Rolle ist nichts erlaubt. Weisen Sie eine zu, überall oder an einem Ort.',
  },
  sessions: { one: 'Sitzung', many: 'Sitzungen', empty: 'Niemand ist angemeldet.' },
  'oauth-applications': {
    one: 'OAuth-Anwendung',
    many: 'OAuth-Anwendungen',
    empty: 'Software, die für Menschen handelt, die dem zustimmen, oder per OAuth 2.0 als Dienstbenutzer.',
  },
  'oauth-grants': {
    one: 'Zugriff',
    many: 'Anwendungen mit Zugriff',
    empty: 'Sie haben keiner Anwendung Zugriff gegeben.',
  },
  'external-identities': {
    one: 'Externe Identität',
    many: 'Externe Identitäten',
    empty:
      'Tokens anderer Aussteller, denen Sie vertrauen, können als Ihre Benutzer und Dienstbenutzer handeln. Nennen ' +
      'Sie die erste.',
  },
  passkeys: { one: 'Passkey', many: 'Passkeys', empty: 'Sie haben noch keinen.' },
  identities: { one: 'Identität', many: 'Single Sign-on', empty: 'Noch ist nichts verbunden.' },
  'audit-log': { one: 'Protokolleintrag', many: 'Änderungsprotokoll', empty: 'Jede Änderung wird hier festgehalten.' },
}
