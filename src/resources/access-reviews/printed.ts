import type { ReportLine, ReviewReport } from '../../audit/review-report.ts'
import type { Language } from '../../core/decide/language.ts'
import { isKeyOf } from '../../core/typed.ts'
import type { Form } from '../../http/print/form.ts'

const texts = {
  en: {
    title: 'Access review',
    review: 'Review',
    place: 'Place',
    takenDown: 'Taken down',
    closed: 'Closed',
    due: 'Due',
    reviewer: 'Reviewer',
    lines: 'Lines',
    by: 'by',
    confirmed: 'confirmed',
    revoked: 'revoked',
    stillOut: 'still out',
    grant: 'own grant',
    group: 'group',
    key: 'key',
    erased: '(erased)',
    columns: ['Person', 'By', 'What', 'Doors', 'Decision', 'Decided by, note'],
    signed: (key: string, signature: string) =>
      `Signed with the key ${key} of the audit log. Signature (Ed25519): ${signature}. The report as JSON is ` +
      'checked by “audit verify-report”.',
    signatures: ['Place, date', 'Reviewed by'],
    page: 'Page',
  },
  de: {
    title: 'Zutrittsprüfung',
    review: 'Prüfung',
    place: 'Ort',
    takenDown: 'Aufgenommen',
    closed: 'Abgeschlossen',
    due: 'Fällig',
    reviewer: 'Prüfende Person',
    lines: 'Zeilen',
    by: 'von',
    confirmed: 'bestätigt',
    revoked: 'entzogen',
    stillOut: 'noch nicht zurück',
    grant: 'eigene Berechtigung',
    group: 'Gruppe',
    key: 'Schlüssel',
    erased: '(gelöscht)',
    columns: ['Person', 'Durch', 'Was', 'Türen', 'Entscheid', 'Entschieden von, Bemerkung'],
    signed: (key: string, signature: string) =>
      `Mit dem Schlüssel ${key} des Audit-Logs signiert. Signatur (Ed25519): ${signature}. Der Bericht als ` +
      'JSON wird mit «audit verify-report» geprüft.',
    signatures: ['Ort, Datum', 'Geprüft von'],
    page: 'Seite',
  },
} as const

/** The report as a page to print and sign, in words of the reader's language. */
export function printedReport({ review, lines, signature }: ReviewReport, language: Language, zone: string): Form {
  const t = texts[language]
  const locale = language === 'de' ? 'de-CH' : 'en-GB'
  const moment = (at: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: zone }).format(new Date(at))
  const day = (on: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(on))
  const count = (decision: string) => lines.filter((line) => 'decision' in line && line.decision === decision).length
  const word = (value: string): string => (isKeyOf(t, value) ? String(t[value]) : value)
  const cells = (line: ReportLine): string[] =>
    'is_erased' in line
      ? [t.erased, '', '', '', '', '']
      : [
          line.display_name,
          word(line.means),
          line.what,
          String(line.doors),
          line.decision === 'revoked' && line.is_ended === false ? `${t.revoked}, ${t.stillOut}` : word(line.decision),
          [line.decided_by, line.note].filter(Boolean).join(': '),
        ]
  return {
    title: t.title,
    organization: review.organization,
    reference: `${t.review} ${review.id}`,
    language: locale,
    made: review.closed_at,
    lines: [
      [t.review, review.name],
      [t.place, review.place],
      [t.takenDown, `${moment(review.started_at)}, ${t.by} ${review.started_by}`],
      [t.closed, `${moment(review.closed_at)}, ${t.by} ${review.closed_by}`],
      [t.due, day(review.due_on)],
      ...(review.reviewer === null ? [] : [[t.reviewer, review.reviewer] as const]),
      [t.lines, `${lines.length}: ${count('confirmed')} ${t.confirmed}, ${count('revoked')} ${t.revoked}`],
    ],
    columns: t.columns,
    shares: [0.22, 0.14, 0.22, 0.08, 0.13, 0.21],
    rows: lines.map(cells),
    notes: [t.signed(signature.key_id, signature.signature)],
    signatures: t.signatures,
    page: t.page,
  }
}
