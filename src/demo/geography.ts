/** Cities with their first campuses. Further campuses take names from `campusNames`. */
export interface City {
  country: string
  name: string
  slug: string
  latitude: number
  longitude: number
  campuses: readonly string[]
}

export const countries: Readonly<Record<string, { slug: string; timeZone: string }>> = {
  Switzerland: { slug: 'ch', timeZone: 'Europe/Zurich' },
  Germany: { slug: 'de', timeZone: 'Europe/Berlin' },
  Austria: { slug: 'at', timeZone: 'Europe/Vienna' },
  France: { slug: 'fr', timeZone: 'Europe/Paris' },
  Denmark: { slug: 'dk', timeZone: 'Europe/Copenhagen' },
  Finland: { slug: 'fi', timeZone: 'Europe/Helsinki' },
  Poland: { slug: 'pl', timeZone: 'Europe/Warsaw' },
  Portugal: { slug: 'pt', timeZone: 'Europe/Lisbon' },
}

const city = (
  country: string,
  name: string,
  slug: string,
  latitude: number,
  longitude: number,
  ...campuses: string[]
): City => ({
  country,
  name,
  slug,
  latitude,
  longitude,
  campuses,
})

export const cities: readonly City[] = [
  city('Switzerland', 'Zürich', 'zurich', 47.3769, 8.5417, 'Campus Zentrum', 'Campus Hönggerberg'),
  city('Germany', 'München', 'munich', 48.1374, 11.5755, 'Campus Garching'),
  city('Switzerland', 'Lausanne', 'lausanne', 46.5197, 6.6323, 'Campus Dorigny'),
  city('Switzerland', 'Basel', 'basel', 47.5596, 7.5886, 'Campus Rosental'),
  city('Germany', 'Berlin', 'berlin', 52.52, 13.405, 'Campus Adlershof', 'Campus Dahlem'),
  city('Austria', 'Wien', 'vienna', 48.2082, 16.3738, 'Campus Getreidemarkt'),
  city('Denmark', 'København', 'copenhagen', 55.6761, 12.5683, 'Campus Ørestad'),
  city('Switzerland', 'Bern', 'bern', 46.948, 7.4474, 'Campus Länggasse'),
  city('Germany', 'Köln', 'cologne', 50.9375, 6.9603, 'Campus Deutz'),
  city('France', 'Strasbourg', 'strasbourg', 48.5734, 7.7521, 'Campus Esplanade'),
  city('Finland', 'Jyväskylä', 'jyvaskyla', 62.2426, 25.7473, 'Campus Mattilanniemi'),
  city('Poland', 'Łódź', 'lodz', 51.7592, 19.456, 'Campus Polesie'),
  city('Portugal', 'Lisboa', 'lisbon', 38.7223, -9.1393, 'Campus Alameda'),
  city('Germany', 'Hamburg', 'hamburg', 53.5511, 9.9937, 'Campus Harburg'),
  city('Switzerland', 'Genève', 'geneva', 46.2044, 6.1432, 'Campus Carouge'),
  city('Austria', 'Graz', 'graz', 47.0707, 15.4395, 'Campus Inffeldgasse'),
  city('Germany', 'Leipzig', 'leipzig', 51.3397, 12.3731, 'Campus Augustusplatz'),
  city('Denmark', 'Århus', 'aarhus', 56.1629, 10.2039, 'Campus Nordre Ringgade'),
  city('Switzerland', 'Lugano', 'lugano', 46.0037, 8.9511, 'Campus Viganello'),
  city('France', 'Grenoble', 'grenoble', 45.1885, 5.7245, 'Campus Saint-Martin-d’Hères'),
]

/** For a city's further campuses. */
export const campusNames = [
  'Campus Nord',
  'Campus Süd',
  'Campus Ost',
  'Campus West',
  'Hospital',
  'Technology park',
  'Sports grounds',
  'Logistics centre',
  'Research station',
  'Administration',
] as const

export const streets = [
  'Bahnhofstrasse',
  'Universitätsstrasse',
  'Ringstraße',
  'Parkweg',
  'Am Kanal',
  'Schlossgasse',
  'Gartenweg',
  'Industriestrasse',
]

/** The buildings of a campus, in the order they were built. */
export const buildingTypes: ReadonlyArray<{ code: string; name: string }> = [
  { code: 'HG', name: 'Hauptgebäude' },
  { code: 'HPH', name: 'Physics building' },
  { code: 'HCI', name: 'Chemistry building' },
  { code: 'RZ', name: 'Rechenzentrum' },
  { code: 'BIB', name: 'Bibliothek' },
  { code: 'ML', name: 'Maschinenlabor' },
  { code: 'MEN', name: 'Mensa' },
  { code: 'VW', name: 'Verwaltung' },
  { code: 'LFW', name: 'Life sciences building' },
  { code: 'SPH', name: 'Sporthalle' },
  { code: 'ETZ', name: 'Electrical engineering' },
  { code: 'PH', name: 'Parkhaus' },
  { code: 'WST', name: 'Werkstätten' },
  { code: 'AUD', name: 'Auditorium' },
]

export const wings = [
  { code: 'N', name: 'North wing' },
  { code: 'O', name: 'Ostflügel' },
  { code: 'S', name: 'South wing' },
  { code: 'W', name: 'Westflügel' },
] as const

export const departments = [
  'Physics',
  'Chemistry',
  'Biology',
  'Computer science',
  'Mathematics',
  'Mechanical engineering',
  'Electrical engineering',
  'Architecture',
  'Materials science',
  'Earth sciences',
  'Medicine',
  'Management',
  'Human resources',
  'Finance',
  'Library',
  'IT services',
  'Facility management',
  'Communications',
] as const
