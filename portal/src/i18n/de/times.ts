import type { times as en } from '../en/times.ts'

export const times: typeof en = {
  window: (number) => `Zeitfenster ${number}`,
  draw: 'Woche zeichnen',
  drawHint:
    'Ziehen Sie mit der Maus über die Stunden; mit der Tastatur: Leertaste beginnt, Pfeile zeichnen, Leertaste ' +
    'beendet.',
  nextDays: (days) => `Die nächsten ${days} Tage`,
  open: 'Offen',
  closed: 'Geschlossen',
  clocksChange: (before, after) => `Zeitumstellung: aus ${before} wird ${after}`,
  start: 'Von',
  end: 'Bis',
  addWindow: 'Zeiten hinzufügen',
  removeWindow: (number) => `Zeitfenster ${number} entfernen`,
  windowsHint: 'Ein Ende vor oder gleich dem Anfang liegt am nächsten Tag.',
  zoneHint: 'Leer: die der Tür.',
  onHolidays: 'An Feiertagen',
  unlockedBy: 'Türen, die dann offen stehen',
  date: 'Datum',
  dayName: 'Name des Tages',
  addDay: 'Tag hinzufügen',
  removeDay: (name) => `${name} entfernen`,
  regionHint: 'Ein Land wie CH oder ein Teil davon wie CH-ZH.',
  propose: 'Feiertage vorschlagen',
  proposeText:
    'Die gesetzlichen Feiertage einer Region. Tage, die jemand geändert oder entfernt hat, bleiben, wie sie sind.',
  proposed: 'Feiertage übernommen',
  filled: (added, changed) => `${added} hinzugefügt, ${changed} umbenannt.`,
  where: 'Wo',
  whereHint: 'Ein Ort mit allem darunter. Leer: die ganze Organisation.',
  everywhere: 'Die ganze Organisation',
  started: 'Begonnen',
  startOne: 'Auslösen',
  startForm: 'Alarmverschluss, Evakuierung oder Übung auslösen',
  startedNote: (kind) => `${kind} ausgelöst`,
  startTitle: (kind) => `${kind} auslösen?`,
  startText: 'Gilt sofort an jeder Tür dieses Orts, bis zur Aufhebung oder zum Ablauf.',
  kindHint:
    'Ein Alarmverschluss lässt nur ein, wessen Berechtigung währenddessen gilt; eine Evakuierung öffnet jede Tür, ' +
    'die ein System steuert; eine Übung berührt keine Tür.',
  release: 'Aufheben',
  releaseTitle: 'Aufheben?',
  releaseText: 'Es endet sofort, und die Türen sind wieder, wie sie sonst sind.',
  released: 'Aufgehoben',
}
