interface Day {
  date: string
  name: string
}

const DAY = 86_400_000

/** Easter Sunday of a year (Meeus, Jones and Butcher). */
function easterOf(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114
  return Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1)
}

/** The public holidays of the canton of Zürich. */
export function holidaysOfZurich(year: number): Day[] {
  const fixed = (date: string, name: string): Day => ({ date: `${year}-${date}`, name })
  const easter = easterOf(year)
  const moving = (days: number, name: string): Day => ({
    date: new Date(easter + days * DAY).toISOString().slice(0, 10),
    name,
  })
  return [
    fixed('01-01', 'Neujahr'),
    fixed('01-02', 'Berchtoldstag'),
    moving(-2, 'Karfreitag'),
    moving(1, 'Ostermontag'),
    fixed('05-01', 'Tag der Arbeit'),
    moving(39, 'Auffahrt'),
    moving(50, 'Pfingstmontag'),
    fixed('08-01', 'Bundesfeiertag'),
    fixed('12-25', 'Weihnachten'),
    fixed('12-26', 'Stephanstag'),
  ].sort((a, b) => (a.date < b.date ? -1 : 1))
}
