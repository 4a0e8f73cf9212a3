import { pageWords } from '../../i18n/page-words.ts'

const en = {
  text:
    'Rows of a spreadsheet become people, doors, keys and more. Each file is tried first; nothing is kept until ' +
    'you say so.',
  what: 'What the rows are',
  file: 'File',
  fileHint: 'CSV or XLSX; the first row names the columns.',
  choose: 'Choose a file',
  try: 'Try it',
  tryAgain: 'Try again with these columns',
  columns: 'Columns',
  column: 'In the file',
  field: 'Here',
  none: 'Passed over',
  result: 'What would become of it',
  resultDone: 'What became of it',
  rows: 'Rows',
  created: 'New',
  changed: 'Changed',
  unchanged: 'Unchanged',
  failed: 'Failed',
  faults: 'What is wrong',
  cell: 'Cell',
  message: 'Why',
  first: (count: string) => `The first ${count} are shown; the file of failed rows has them all.`,
  run: 'Import',
  cancel: 'Stop here',
  failedRows: 'Download the rows that failed',
  progress: (done: string, all: string) => `${done} of ${all} rows`,
  done: 'The file has been imported.',
  doneInPart:
    'The file has been imported but for the rows that failed: mend them in the file of failed rows, and import that.',
  cancelled: 'It was stopped. What was imported until then stays.',
  show: 'Show them',
  another: 'Import another file',
}

const de: typeof en = {
  text:
    'Aus den Zeilen einer Tabelle werden Personen, Türen, Schlüssel und anderes. Jede Datei wird zuerst geprüft; ' +
    'behalten wird erst etwas, wenn Sie es sagen.',
  what: 'Was die Zeilen sind',
  file: 'Datei',
  fileHint: 'CSV oder XLSX; die erste Zeile benennt die Spalten.',
  choose: 'Datei wählen',
  try: 'Prüfen',
  tryAgain: 'Mit diesen Spalten nochmals prüfen',
  columns: 'Spalten',
  column: 'In der Datei',
  field: 'Hier',
  none: 'Wird übergangen',
  result: 'Was daraus würde',
  resultDone: 'Was daraus geworden ist',
  rows: 'Zeilen',
  created: 'Neu',
  changed: 'Geändert',
  unchanged: 'Unverändert',
  failed: 'Fehlgeschlagen',
  faults: 'Was nicht stimmt',
  cell: 'Zelle',
  message: 'Warum',
  first: (count) => `Die ersten ${count} werden gezeigt; in der Datei der fehlgeschlagenen Zeilen stehen alle.`,
  run: 'Importieren',
  cancel: 'Hier aufhören',
  failedRows: 'Fehlgeschlagene Zeilen herunterladen',
  progress: (done, all) => `${done} von ${all} Zeilen`,
  done: 'Die Datei ist importiert.',
  doneInPart:
    'Die Datei ist importiert bis auf die fehlgeschlagenen Zeilen: Berichtigen Sie sie in der Datei der ' +
    'fehlgeschlagenen Zeilen und importieren Sie diese.',
  cancelled: 'Es wurde aufgehört. Was bis dahin importiert war, bleibt.',
  show: 'Anzeigen',
  another: 'Eine weitere Datei importieren',
}

export const importWords = pageWords({ en, de })
