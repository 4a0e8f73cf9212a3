import type { reviews as en } from '../en/reviews.ts'

/** Access that is gone through. */
export const reviews: typeof en = {
  start: 'Beginnen',
  startTitle: 'Diese Prüfung beginnen?',
  startText:
    'Alle, die dort jetzt eine Tür öffnen dürfen, werden aufgelistet: Eine Person nach der andern wird bestätigt ' +
    'oder ihr Zutritt entzogen.',
  started: 'Begonnen',
  close: 'Abschließen',
  closeTitle: 'Diese Prüfung abschließen?',
  closeText: 'Was entschieden wurde, wird signiert und bleibt, wie es ist.',
  closed: 'Abgeschlossen: der Bericht ist da',
  cancel: 'Prüfung abbrechen',
  cancelTitle: 'Diese Prüfung abbrechen?',
  cancelText: 'Sie endet ohne Bericht. Was entzogen wurde, bleibt entzogen.',
  cancelled: 'Abgebrochen',
  confirm: 'Bestätigen',
  confirmTitle: 'Das bestätigen?',
  confirmed: 'Bestätigt',
  reopen: 'Neu entscheiden',
  reopenTitle: 'Das neu entscheiden?',
  reopened: 'Ist neu zu entscheiden',
  revoke: 'Entziehen',
  revokeTitle: 'Das entziehen?',
  revokeText:
    'Die Berechtigung wird entzogen oder die Mitgliedschaft beendet, sofort. Ein Schlüssel bleibt bei der Person, ' +
    'bis er zurückkommt.',
  revoked: 'Entzogen',
  place: 'Ort',
  progress: 'Fortschritt',
  managedByOthers: {
    grant: 'Entziehen dürfen andere: Sie verwalten die Berechtigung nicht.',
    group: 'Entziehen dürfen andere: Sie verwalten die Gruppe nicht.',
    key: 'Entziehen dürfen andere: Sie verwalten den Schlüssel nicht.',
  },
  pdf: 'Bericht als PDF',
  json: 'Signierter Bericht (JSON)',
  evidence: 'Diese Prüfung ist abgeschlossen. Ihr Bericht ist mit dem Schlüssel des Änderungsprotokolls signiert.',
  allDecided: 'Alles ist entschieden. Schließen Sie die Prüfung ab, um den signierten Bericht zu erhalten.',
  notStarted: 'Diese Prüfung hat noch nicht begonnen. Wer dort was öffnen darf, wird mit dem Beginn aufgelistet.',
  when: 'Bis wann und durch wen',
  decided: (done: string, all: string) => `${done} von ${all} entschieden`,
}
