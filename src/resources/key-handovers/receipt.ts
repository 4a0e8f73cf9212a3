import { type Language, words } from '../../core/decide/language.ts'
import type { Rights, Scope } from '../../core/rights.ts'
import { visible } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { placesOf } from '../../db/places.ts'
import { findSeen } from '../../db/rows.ts'
import { limitsOf } from '../../db/scope.ts'
import { sql } from '../../db/sql.ts'
import type { Form } from '../../http/print/form.ts'
import { individuals } from '../individuals/schema.ts'
import { lockingSystems } from '../locking-system/schema.ts'
import { type KeyHandover, keyHandovers } from './schema.ts'

type Entry = Pick<
  KeyHandover,
  'issued_at' | 'due_back_on' | 'returned_at' | 'purpose' | 'deposit_amount' | 'condition' | 'issued_by' | 'outcome'
> & { number: string; code: string; system: string | null }

/** "G1.2 7", and 7 before 12. */
const nameOf = ({ code, number }: Entry): string => `${code} ${number}`

/** A receipt of the keys that were issued together, as far as the caller sees them, in words of their language. */
export async function receiptOf(
  handle: OrgHandle,
  { receipt_id, individual_id }: Pick<KeyHandover, 'receipt_id' | 'individual_id'>,
  caller: { scope: Scope; rights: Rights; language: Language },
): Promise<Form> {
  const { scope, rights, language } = caller
  const systems = rights.scopeOf('locking-system:read')
  const entries = await handle.all<Entry>(sql`
    select t.issued_at, t.due_back_on, t.returned_at, t.purpose, t.deposit_amount, t.condition, t.issued_by, t.outcome,
    k.number, kt.code,
      ${
        systems
          ? sql`(select t.name from locking_systems t where ${await visible(handle, lockingSystems, systems)}
      and t.id = kt.locking_system_id)`
          : sql`null`
      } as system
    from key_handovers t join keys k on k.org = :org and k.id = t.key_id join key_types kt on kt.org = :org
    and kt.id = k.key_type_id
    where ${await visible(handle, keyHandovers, scope)} and t.receipt_id = ${receipt_id}`)
  // Made here: it takes as long as a hundred routes, and few ask for a receipt.
  const byNumber = new Intl.Collator('en', { numeric: true })
  entries.sort((a, b) => byNumber.compare(nameOf(a), nameOf(b)))
  const people = rights.scopeOf('individuals:read')
  const holder = people && (await findSeen(handle, individuals, individual_id, people))
  const organization = await handle.one<{ name: string }>(sql`select name from organizations where key = :org`)
  const limits = await limitsOf(handle, scope)
  const { organizationZone: zone } = await placesOf(handle)
  const say = (en: string, de: string) =>
    words(
      () => en,
      () => de,
    )(language)
  const locale = language === 'de' ? 'de-CH' : 'en-GB'
  const moment = (at: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: zone }).format(new Date(at))
  const day = (on: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(on))
  const short = (at: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: zone }).format(new Date(at))
  const amount = (value: number) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)
  const [first] = entries
  const named = holder
    ? [holder.display_name, holder.company, holder.personnel_number].filter(Boolean).join(', ')
    : individual_id
  const deposit = entries.reduce((sum, entry) => sum + (entry.deposit_amount ?? 0), 0)
  const ended = ({ outcome, returned_at }: Entry): string => {
    if (returned_at) return short(returned_at)
    const ends: Partial<Record<Entry['outcome'], string>> = {
      lost: say('lost', 'verloren'),
      stolen: say('stolen', 'gestohlen'),
      defective: say('defective', 'defekt'),
    }
    return ends[outcome] ?? ''
  }
  const lines: Array<[string, string | undefined]> = [
    [say('Handed to', 'Übergeben an'), named],
    [say('Handed over on', 'Übergeben am'), first && moment(first.issued_at)],
    [say('Handed over by', 'Übergeben von'), first?.issued_by],
    [say('Purpose', 'Zweck'), first?.purpose ?? undefined],
    [say('Deposit', 'Depot'), deposit > 0 ? amount(deposit) : undefined],
    [say('Keys', 'Schlüssel'), String(entries.length)],
  ]
  return {
    title: say('Key receipt', 'Schlüsselquittung'),
    organization: organization?.name ?? '',
    reference: `${say('Receipt', 'Quittung')} ${receipt_id}`,
    language: locale,
    made: first?.issued_at ?? handle.now,
    lines: lines.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const])),
    columns: [
      say('Key', 'Schlüssel'),
      say('Locking system', 'Schließanlage'),
      say('Condition', 'Zustand'),
      say('Deposit', 'Depot'),
      say('Due back', 'Rückgabe bis'),
      say('Returned', 'Zurück'),
    ],
    shares: [0.15, 0.24, 0.14, 0.12, 0.21, 0.14],
    rows: entries.map((entry) => [
      nameOf(entry),
      entry.system ?? '',
      entry.condition ?? '',
      entry.deposit_amount === null ? '' : amount(entry.deposit_amount),
      entry.due_back_on === null ? say('until further notice', 'bis auf Weiteres') : day(entry.due_back_on),
      ended(entry),
    ]),
    notes: [
      say(
        'The holder has received these keys, keeps them safe, does not pass them on or have them copied, reports a ' +
          'loss at once and gives them back when asked.',
        'Die empfangende Person hat diese Schlüssel erhalten, verwahrt sie sorgfältig, gibt sie nicht weiter, lässt ' +
          'sie nicht kopieren, meldet einen Verlust sofort und gibt sie auf Verlangen zurück.',
      ),
      ...(limits
        ? [
            say(
              `This copy shows the keys of ${limits.map(({ name }) => name).join(', ')}; there may be more on ` +
                'the receipt.',
              `Diese Ausfertigung zeigt die Schlüssel von ${limits.map(({ name }) => name).join(', ')}; auf ` +
                'der Quittung können weitere stehen.',
            ),
          ]
        : []),
    ],
    signatures: [
      say('Place, date', 'Ort, Datum'),
      say('Received by', 'Empfangen von'),
      say('Handed over by', 'Übergeben von'),
    ],
    page: say('Page', 'Seite'),
  }
}
