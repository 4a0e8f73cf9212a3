import type { Messages } from '../messages.ts'

export const login: Messages['login'] = {
  title: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 12 Zeichen. Ein Satz eignet sich gut.',
  button: 'Anmelden',
  passkey: 'Mit Passkey anmelden',
  sso: (name) => `Mit ${name} anmelden`,
  acceptWith: (name) => `Mit ${name} annehmen`,
  provider: 'dem Anbieter',
  ssoFailed: {
    'sign_on.unknown_identity': (name) =>
      `Niemand ist hier mit diesem Konto (${name}) verbunden. Wenn Sie hier ein Konto haben, melden Sie sich auf ` +
      `anderem Weg an und verbinden Sie ${name} im Profil. Wenn Sie eingeladen sind, öffnen Sie die Einladung und ` +
      `nehmen Sie sie mit ${name} an. Sonst bitten Sie die Verwaltung um eine Einladung.`,
    'sign_on.expired': () =>
      'Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Versuchen Sie es noch einmal.',
    'sign_on.denied': (name) =>
      `${name} hat die Anmeldung abgelehnt. Wenn Sie sie nicht selbst abgebrochen haben, fragen Sie dort nach.`,
    'sign_on.refused': (name) =>
      `Die Antwort von ${name} ließ sich nicht prüfen. Versuchen Sie es noch einmal; geschieht es wieder, melden Sie ` +
      `es der Verwaltung.`,
    'sign_on.no_email': (name) =>
      `${name} bestätigt keine E-Mail-Adresse von Ihnen; ohne sie können Sie nicht beitreten. Bestätigen Sie Ihre ` +
      `Adresse dort oder bitten Sie hier um eine Einladung.`,
    'identity.exists': (name) => `Dieses Konto (${name}) ist schon mit Ihrem verbunden.`,
    'identity.taken': (name) =>
      `Dieses Konto (${name}) ist hier mit jemand anderem verbunden. Wählen Sie dort ein anderes.`,
    login_failed: () => 'Sie können sich zurzeit nicht anmelden. Wenden Sie sich an die Verwaltung.',
    organization_suspended: () =>
      'Die Organisation ist zurzeit gesperrt. Wenden Sie sich an die Stelle, die diesen Dienst betreibt.',
    invalid_credential: () =>
      'Sie wurden inzwischen abgemeldet. Melden Sie sich an und verbinden Sie das Konto dann noch einmal.',
    invalid_link: () =>
      'Die Einladung gilt nicht mehr: Sie ist abgelaufen, wurde schon verwendet oder durch eine neuere ersetzt. Wenn ' +
      'Sie sie angenommen haben, melden Sie sich an.',
    RATE_LIMITED: () => 'Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es dann erneut.',
  },
  ssoFailedOtherwise: (name) =>
    `Die Anmeldung mit ${name} hat nicht geklappt. Versuchen Sie es später noch einmal; bleibt es dabei, melden Sie ` +
    `es der Verwaltung.`,
  anotherWay: 'Auf anderem Weg anmelden',
  or: 'oder',
  codeTitle: 'Zweiter Faktor',
  codeText: 'Geben Sie den Code ein, den Ihre Authenticator-App anzeigt.',
  code: 'Code',
  recoveryText: 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt einmal.',
  recoveryCode: 'Wiederherstellungscode',
  useRecovery: 'Stattdessen einen Wiederherstellungscode verwenden',
  useApp: 'Stattdessen die Authenticator-App verwenden',
  organizationText: 'Sie sind mehreren Organisationen bekannt. Bei welcher möchten Sie sich anmelden?',
  organization: 'Organisation',
  forgotten: 'Passwort vergessen? Eine Person mit Verwaltungsrechten kann Ihnen einen Link zu einem neuen geben.',
  resetByMail: 'Passwort vergessen? Link zusenden',
  resetAgain: 'Link noch einmal zusenden',
  resetNeedsEmail: 'Geben Sie hier zuerst Ihre E-Mail-Adresse ein',
  resetSent: (email) =>
    `Falls sich hier jemand mit ${email} und einem Passwort anmeldet, ist ein Link zu einem neuen Passwort dorthin ` +
    `unterwegs. Er gilt eine Stunde. Kommt nichts an, sehen Sie bei unerwünschten E-Mails nach oder wenden Sie ` +
    `sich an die Verwaltung.`,
  expired: 'Ihre Sitzung ist abgelaufen. Melden Sie sich an, um dort weiterzumachen, wo Sie waren.',
  loggedOut: 'Sie sind abgemeldet.',
  passwordSet: 'Ihr neues Passwort ist gesetzt. Melden Sie sich damit an.',
  setupTitle: 'Gatehouse einrichten',
  setupText: 'Benennen Sie Ihre Organisation und legen Sie das erste Konto an; es hat alle Rechte.',
  organizationName: 'Name der Organisation',
  timeZone: 'Zeitzone',
  yourName: 'Ihr Name',
  setupButton: 'Einrichten',
  invitationTitle: 'Willkommen bei Gatehouse',
  invitedBy: (organization) => `${organization} lädt Sie zu seiner Zutrittsverwaltung ein.`,
  invitationText: 'Wählen Sie ein Passwort, um die Einladung anzunehmen.',
  invitationTextSso:
    'Wählen Sie ein Passwort, um die Einladung anzunehmen, oder verwenden Sie ein Konto, das Sie schon haben.',
  invitationDead:
    'Die Einladung ist abgelaufen, wurde schon verwendet oder durch eine neuere ersetzt. Wenn Sie sie angenommen ' +
    'haben, melden Sie sich an. Sonst bitten Sie die Person, die Sie eingeladen hat, um einen neuen Link.',
  nameOptional: 'Ihr Name (falls er nicht wie in der Einladung lautet)',
  invitationButton: 'Einladung annehmen',
  resetTitle: 'Neues Passwort setzen',
  resetText: 'Damit enden auch Ihre Sitzungen und der Zugriff von Anwendungen. Ein zweiter Faktor bleibt bestehen.',
  resetButton: 'Passwort setzen',
  resetDead:
    'Er ist abgelaufen, wurde schon verwendet oder durch einen neueren ersetzt. Wenn Sie noch ein neues Passwort ' +
    'brauchen, erhalten Sie bei der Anmeldung einen neuen Link.',
  setupDead:
    'Er wurde schon verwendet, oder der Dienst hat seither einen neueren ausgegeben. Wenn Gatehouse eingerichtet ' +
    'ist, melden Sie sich an.',
  linkDead: 'Dieser Link gilt nicht mehr',
  linkMissing: 'Der Link ist unvollständig: Kopieren Sie ihn ganz in die Adresszeile.',
  confirmByPasskey: 'Mit Passkey bestätigen',
  confirmByLogin:
    'Sie haben hier weder Passwort noch Passkey: Melden Sie sich ab und wieder an und wiederholen Sie es dann.',
  consentTitle: (name) => `${name} bittet um Zugriff`,
  consentWho: (name, email) =>
    `Sie sind ${name} (${email}). Wenn Sie zustimmen, darf die Anwendung höchstens 90 Tage lang in Ihrem Namen ` +
    `handeln, oder bis Sie es in Ihrem Profil beenden.`,
  consentKnows: 'Sie kann',
  consentDoes: 'Sie darf in Ihrem Namen',
  consentLess: 'Nehmen Sie weg, was sie nicht braucht.',
  consentLacking: 'Sie bittet auch um das, was Sie selbst nicht dürfen, und erhält es nicht',
  consentSentTo: 'Danach gelangen Sie zu',
  consentAgree: 'Zustimmen',
  consentRefuse: 'Ablehnen',
  consentFailed: 'Das hat nicht geklappt',
  consentGone:
    'Diese Anfrage ist abgelaufen, schon beantwortet oder nicht Ihre. Gehen Sie zurück zur Anwendung und beginnen ' +
    'Sie neu.',
  identityScopes: {
    openid: 'Wissen, wer Sie sind.',
    profile: 'Ihren Namen sehen.',
    email: 'Ihre E-Mail-Adresse sehen.',
    offline_access: 'Weitermachen, während Sie nicht da sind, höchstens 90 Tage.',
  },
  toLogin: 'Zur Anmeldung',
}
