import { invalid } from '../../core/errors.ts'
import type { Resource } from '../../db/resource.ts'
import type { Writable } from '../../http/writes/writable.ts'

/** Which field each heading is; null: the column is passed over. */
export type Mapping = Record<string, string | null>

/** What people call a field, in English and German, beside its own name; folded. */
const words: Readonly<Record<string, readonly string[]>> = {
  external_id: ['external key', 'external', 'key', 'externe id', 'externer schluessel', 'fremdschluessel'],
  given_name: ['first name', 'forename', 'vorname'],
  family_name: ['last name', 'surname', 'nachname', 'familienname'],
  display_name: ['full name', 'anzeigename', 'name'],
  name: ['bezeichnung', 'title'],
  email: ['e mail', 'mail', 'email address', 'e mail adresse'],
  phone: ['telephone', 'mobile', 'telefon', 'telefonnummer', 'handy'],
  personnel_number: [
    'employee number',
    'employee id',
    'staff number',
    'personalnummer',
    'personal nr',
    'mitarbeiternummer',
  ],
  company: ['firma', 'unternehmen'],
  department: ['abteilung'],
  manager_id: ['manager', 'supervisor', 'vorgesetzter', 'vorgesetzte'],
  location_id: ['location', 'site', 'standort', 'ort'],
  building_id: ['building', 'gebaeude', 'haus'],
  space_id: ['space', 'room', 'raum', 'zimmer'],
  from_space_id: ['from space', 'from room', 'von raum'],
  parent_id: ['parent', 'above', 'uebergeordnet', 'gehoert zu'],
  visitor_id: ['visitor', 'guest', 'besucher', 'besucherin', 'gast'],
  host_id: ['host', 'gastgeber', 'gastgeberin', 'besuchte person'],
  purpose: ['zweck', 'anlass'],
  places: ['place', 'orte'],
  individual_id: ['individual', 'person', 'holder', 'inhaber', 'traeger'],
  access_group_id: ['access group', 'group', 'gruppe', 'zutrittsgruppe'],
  access_point_id: ['access point', 'door', 'tuer', 'zutrittspunkt'],
  access_control_system_id: ['access control system', 'system', 'zutrittssystem'],
  locking_system_id: ['locking system', 'schliessanlage', 'anlage'],
  key_type_id: ['key type', 'schluesseltyp', 'schluesselart'],
  schedule_id: ['schedule', 'zeitplan', 'zeitprofil'],
  calendar_id: ['calendar', 'kalender'],
  valid_from: ['from', 'start', 'von', 'beginn', 'gueltig ab', 'gueltig von', 'ab'],
  valid_until: ['until', 'end', 'ende', 'expires', 'gueltig bis', 'bis', 'ablauf'],
  number: ['no', 'nr', 'nummer', 'card number', 'kartennummer', 'schluesselnummer', 'zylindernummer', 'stamp'],
  label: ['beschriftung', 'aufdruck'],
  code: ['kuerzel'],
  description: ['note', 'notes', 'beschreibung', 'bemerkung'],
  floor: ['level', 'stockwerk', 'etage', 'geschoss'],
  area: ['flaeche'],
  address: ['adresse', 'anschrift', 'strasse'],
  kind: ['type of person', 'art'],
  type: ['typ', 'art'],
  status: ['zustand'],
  manufacturer: ['hersteller', 'maker'],
  model: ['modell'],
  time_zone: ['timezone', 'zeitzone'],
  facility_code: ['site code', 'anlagencode'],
  pin: ['pin code'],
}

/** Case, accents and what stands between words do not matter. */
const folded = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** The fields that a file can set; `id` names the item. */
export function fieldsOf({ resource, bodies }: Writable): string[] {
  return ['id', ...Object.keys(bodies.upsert.made.properties ?? {}).filter((name) => name in resource.fields)]
}

/** As sent; of the other columns, the headings that say which field they mean: each field once, the first that fits. */
export function guessMapping(writable: Writable, columns: readonly string[], sent: Mapping = {}): Mapping {
  const fields = fieldsOf(writable)
  const taken = new Set(Object.values(sent))
  const mapping: Mapping = { ...sent }
  for (const exact of [true, false]) {
    for (const column of columns) {
      if (mapping[column] || Object.hasOwn(sent, column)) continue
      const field = fields.find((name) => !taken.has(name) && meansField(writable.resource, name, column, exact))
      mapping[column] = field ?? null
      if (field) taken.add(field)
    }
  }
  return mapping
}

function meansField(resource: Resource, name: string, column: string, exact: boolean): boolean {
  const text = folded(column)
  if (exact) return text === folded(name)
  // `building.external_id`, `building_id.name`: by what the item is named.
  const [first = ''] = column.split(/[.(]/, 1)
  const isReference = resource.fields[name]?.spec.references !== undefined
  if (isReference && [folded(name), folded(name.replace(/_id$/, ''))].includes(folded(first))) return true
  return (words[name] ?? []).includes(text)
}

/** A mapping that was sent: headings of the file, and fields that can be set. */
export function checkMapping(writable: Writable, columns: readonly string[], mapping: Mapping): void {
  const fields = new Set(fieldsOf(writable))
  const used = new Set<string>()
  for (const [column, field] of Object.entries(mapping)) {
    if (!columns.includes(column))
      throw unfit(`mapping: the file has no column ${JSON.stringify(column.slice(0, 100))}`)
    if (field === null) continue
    if (!fields.has(field))
      throw unfit(
        `mapping: ${field.slice(0, 100)} is not a field that can be set; these are: ${[...fields].join(', ')}`,
      )
    if (used.has(field)) throw unfit(`mapping: two columns cannot both be ${field}`)
    used.add(field)
  }
}

const unfit = (message: string) => invalid('mapping', 'import.mapping', message)
