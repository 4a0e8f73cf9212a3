import type { Messages } from '../messages.ts'

const counted = (count: number, one: string, many: string) =>
  count === 0 ? `keine ${many}` : count === 1 ? `1 ${one}` : `${count} ${many}`
const first = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const people: Messages['people'] = {
  displayName: 'Angezeigter Name',
  displayNameHint: 'Leer: Vor- und Nachname.',
  contact: 'Kontakt',
  work: 'Arbeit',
  validity: 'Gültigkeit',
  belongs: 'Gehört zu',
  belongsHint:
    'Ein Gebäude oder ein Standort, nicht beides. Keines: die ganze Organisation. Rollen, die auf den Ort beschränkt ' +
    'sind, verwalten, wer dazugehört.',
  validityHint: 'Außerhalb dieser Zeit funktioniert keines der Zutrittsmedien. Leer: unbegrenzt.',
  keysHeld: 'Schlüssel in Besitz',
  ownGrants: 'Eigene Berechtigungen',
  mayOpen: 'Darf öffnen',
  whoGetsIn: 'Wer hat Zutritt',
  seenBy: 'Was sie mit Ihren Orten verbindet',

  issueCredential: 'Karte ausgeben',
  issueCredentialTitle: (name) => `Zutrittsmedium an ${name} ausgeben`,
  issued: (name) => `An ${name} ausgegeben`,
  suspend: 'Sperren',
  suspendTitle: (name) => `${name} sperren?`,
  suspendText:
    'Die Zutrittsmedien funktionieren erst wieder nach dem Aktivieren. Berechtigungen, Gruppen und Schlüssel ' +
    'bleiben, wie sie sind.',
  suspended: (name) => `${name} ist gesperrt`,
  reactivate: 'Aktivieren',
  reactivateTitle: (name) => `${name} aktivieren?`,
  reactivateText: 'Die Zutrittsmedien funktionieren wieder, soweit nichts anderes dagegen spricht.',
  reactivateOffboarded:
    'Zutrittsmedien, Berechtigungen und Gruppen kommen nicht zurück: Sie wurden endgültig beendet und müssen neu ' +
    'vergeben werden.',
  reactivated: (name) => `${name} ist aktiv`,
  offboard: 'Ausscheiden lassen',
  offboardTitle: (name) => `${name} ausscheiden lassen?`,
  offboardText: 'Endgültig. Das wird zurückgenommen und lässt sich danach nicht rückgängig machen:',
  lastDay: 'Letzter Tag',
  lastDayHint: 'Leer: sofort. Mit einem Tag geschieht es, wenn er endet, und lässt sich bis dahin zurücknehmen.',
  offboardingDone: (name) => `Das Ausscheiden von ${name} ist erledigt oder geplant`,
  offboardingPlanned: (name, when) => `${name} scheidet aus: ${when}. Bis dahin lässt es sich zurücknehmen.`,
  takeBackOffboarding: 'Doch nicht ausscheiden lassen',
  takeBackOffboardingTitle: (name) => `Geplantes Ausscheiden von ${name} zurücknehmen?`,
  takeBackOffboardingText: 'Die Person bleibt und ist so lange gültig wie zuvor.',
  offboardingTakenBack: (name) => `${name} bleibt`,
  offboardedTitle: 'Ausgeschieden',
  takesBack: {
    credentials: (count) => first(counted(count, 'Zutrittsmedium wird entzogen', 'Zutrittsmedien werden entzogen')),
    'access-grants': (count) =>
      first(counted(count, 'Berechtigung wird widerrufen', 'Berechtigungen werden widerrufen')),
    memberships: (count) => first(counted(count, 'Gruppenmitgliedschaft endet', 'Gruppenmitgliedschaften enden')),
    keys: (count) =>
      count === 0
        ? 'Keine Schlüssel in Besitz'
        : first(counted(count, 'Schlüssel ist von Hand zurückzunehmen', 'Schlüssel sind von Hand zurückzunehmen')),
  },
  noKeysOutSeen: (name) => `Alles, was Sie sehen dürfen, ist zurück. ${name} kann anderswo Schlüssel haben.`,
  noKeysOut: (name) => `Alles ist zurückgenommen. ${name} hat keine Schlüssel in Besitz.`,
  keysOut: (count) =>
    count === 1
      ? 'Ein Schlüssel fehlt noch. Nehmen Sie ihn zurück:'
      : `${count} Schlüssel fehlen noch. Nehmen Sie sie zurück:`,
  dueBack: (date) => `zurück bis ${date}`,
  anonymise: 'Anonymisieren',
  anonymiseTitle: (name) => `${name} anonymisieren?`,
  anonymiseText:
    'Löscht endgültig, wer das war: Name, Kontakt, Nummern und was dazu vermerkt wurde, auch im Änderungsprotokoll. ' +
    'Was wann geschah, bleibt. Niemand kann das rückgängig machen.',
  anonymised: 'Anonymisiert',

  printed: 'Aufdruck',
  why: 'Warum',
  use: 'Verwendung',
  pinHint: '4 bis 12 Ziffern. Sie wird nie wieder angezeigt.',
  holderHint: 'Leer: noch nicht ausgegeben.',
  issue: 'Ausgeben',
  issueTitle: (name) => `„${name}“ ausgeben`,
  issuedOne: (name) => `„${name}“ ist ausgegeben`,
  collected: 'Als abgeholt vermerken',
  collectedTitle: (name) => `Wurde „${name}“ abgeholt?`,
  collectedText: 'Ab jetzt funktioniert es.',
  usableAgain: (name) => `„${name}“ ist verwendbar`,
  block: 'Sperren',
  blockTitle: (name) => `„${name}“ sperren`,
  blockText: 'Es funktioniert nicht mehr, bis Sie es entsperren.',
  blocked: (name) => `„${name}“ ist gesperrt`,
  unblock: 'Entsperren',
  unblockTitle: (name) => `„${name}“ entsperren?`,
  unblockText: 'Es funktioniert wieder, soweit nichts anderes dagegen spricht.',
  lost: 'Verlust melden …',
  lostTitle: (name) => `„${name}“ als verloren, gestohlen oder beschädigt melden`,
  lostText: (name) =>
    `„${name}“ öffnet ab sofort keine Tür mehr; wem es gehörte, bleibt vermerkt. Taucht es auf, melden Sie es als ` +
    `gefunden: Es ist dann gesperrt, bis Sie es entsperren.`,
  lostButton: 'Melden',
  found: 'Als gefunden melden',
  foundTitle: (name) => `Wurde „${name}“ gefunden?`,
  foundText: 'Es wird gesperrt. Prüfen Sie es, dann entsperren Sie es.',
  revive: 'Wieder in Gebrauch nehmen',
  reviveTitle: (name) => `„${name}“ wieder in Gebrauch nehmen?`,
  reviveText: 'Es ist zuerst gesperrt. Prüfen Sie es, dann entsperren Sie es.',
  replace: 'Ersetzen …',
  replaceTitle: (name) => `„${name}“ durch ein neues ersetzen`,
  replaceText: (name) =>
    `Die Person erhält ein neues mit Anlagencode, Format und Ablauf von „${name}“, das danach keine Tür mehr öffnet. ` +
    `Berechtigungen und Gruppen bleiben: Sie gehören der Person.`,
  replaceButton: 'Ersetzen',
  replaceReason: 'Was mit dem alten geschah',
  newNumber: 'Neue Nummer',
  newLabel: 'Neuer Aufdruck',
  replaced: (name) => `„${name}“ ist ersetzt`,
  return: 'Zurücknehmen',
  returnTitle: (name) => `Wurde „${name}“ zurückgegeben?`,
  returnText: 'Es wird beendet. Seine Nummer kann neu vergeben werden.',
  revoke: 'Entziehen',
  revokeTitle: (name) => `„${name}“ entziehen?`,
  revokeText: 'Es funktioniert sofort nicht mehr, wo immer es ist.',
  endedOne: (name) => `„${name}“ funktioniert nicht mehr`,
  reasons: {
    not_collected: 'Noch nicht abgeholt',
    forgotten: 'Gesperrt: vergessen, oder gefunden und noch nicht geprüft',
    lost: 'Verloren gemeldet',
    stolen: 'Gestohlen gemeldet',
    damaged: 'Beschädigt',
    returned: 'Zurückgegeben',
    revoked: 'Entzogen',
    inactivity: 'Gesperrt: lange nicht verwendet',
    locked_out: 'Gesperrt: zu viele Fehlversuche',
    over: (moment) => `War gültig bis ${moment}`,
    usedUp: (uses) => `${uses === '1' ? 'Einmal' : `${uses}-mal`} verwendet, mehr war nicht vorgesehen`,
    holderOver: 'Die Gültigkeit der Person ist abgelaufen',
    nobody: 'An niemanden ausgegeben',
    starts: (moment) => `Gültig ab ${moment}`,
    holderNotYet: 'Die Person ist noch nicht aktiv',
    holderSuspended: 'Die Person ist gesperrt',
    holderGone: 'Die Person ist ausgeschieden',
    usable: 'Verwendbar, unbefristet',
    usableUntil: (moment) => `Verwendbar bis ${moment}`,
  },

  add: 'Hinzufügen',
  choosePeople: 'Personen hinzufügen: Namen eintippen …',
  chooseGroups: 'In Gruppen aufnehmen: Namen eintippen …',
  added: (added, already) =>
    [
      ...(added > 0 ? [`${added} hinzugefügt`] : []),
      ...(already > 0 ? [already === 1 ? '1 war schon Mitglied' : `${already} waren schon Mitglied`] : []),
    ].join(', '),
  remove: 'Aus Gruppe entfernen',
  removed: 'Aus der Gruppe entfernt',
  period: 'Zeitraum ändern',
  periodText: 'Außerhalb dieser Zeit bringt die Mitgliedschaft nichts. Leer: unbegrenzt.',
  periodSaved: 'Zeitraum gespeichert',
  memberNow: 'Mitglied',
  memberUntil: (moment) => `Mitglied bis ${moment}`,

  who: 'Wer',
  whoHint: 'Eine Person oder alle in einer Gruppe.',
  what: 'Was',
  whatHint:
    'Türen, Räume, ein Gebäude, eines seiner Stockwerke oder ein Standort: mit allen Türen darin. Mehrere Türen oder ' +
    'Räume werden je ein Eintrag.',
  floorHint: 'Nur die Türen auf diesem Stockwerk, wie sie heute sind. Leer: das ganze Gebäude.',
  hasEnded: 'Dieser Zeitpunkt ist vorbei: Sie endet, bevor sie beginnt.',
  readAs: (number, facility, format) =>
    `Nummer ${number}${facility === '' ? '' : `, Anlage ${facility}`}${format === '' ? '' : ` (${format})`} übernehmen`,
  takenBy: 'Hat diese Nummer schon:',
  issueKey: 'Schlüssel ausgeben',
  how: 'Wie',
  scheduleHint: 'Leer: zu jeder Stunde.',
  effectHint: 'Verbieten geht jedem Erlauben vor.',
  inForce: 'In Kraft',
  inForceUntil: (moment) => `In Kraft bis ${moment}`,
  starts: (moment) => `Beginnt ${moment}`,
  ended: (moment) => `Endete ${moment}`,
  revokedOn: (moment) => `Widerrufen ${moment}`,
  lets: 'Erlaubt',
  keepsOut: 'Verbietet',
  pinToo: 'PIN',
  twoPersons: 'Zu zweit',
  mayOpenSentence: (who, what, isDoor) => `${who} darf ${isDoor ? what : `jede Tür von ${what}`} öffnen`,
  keptOutSentence: (who, what, isDoor) =>
    `${who} darf ${isDoor ? what : `keine Tür von ${what}`}${isDoor ? ' nicht' : ''} öffnen, was auch sonst ` +
    `erlaubt ist`,
  withPin: 'mit PIN',
  withSecond: 'zusammen mit einer zweiten Person',
  revokeGrant: 'Widerrufen',
  revokeGrantTitle: 'Diese Zutrittsberechtigung widerrufen?',
  revokeGrantText:
    'Sie endet sofort und endgültig und bleibt als Nachweis erhalten. Für erneuten Zutritt legen Sie eine neue an.',
  grantRevoked: 'Zutrittsberechtigung widerrufen',
  through: 'Durch',
  personally: 'Persönlich',
  keysNotSeen: 'Sie dürfen hier keine Schlüssel sehen.',
  notActive: 'Die Person ist nicht aktiv: Ihre Zutrittsmedien funktionieren jetzt nicht, was auch gewährt ist.',
}
