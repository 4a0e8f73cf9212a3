export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** A sentence in each language, put together only when somebody reads it. */
export const words =
  (en: (next: string | null) => string, de: (next: string | null) => string) =>
  (language: Language, next: string | null = null): string =>
    language === 'de' ? de(next) : en(next)

const formats = new Map<string, Intl.DateTimeFormat>()

function format(language: Language, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language}|${zone}|${options.weekday ?? ''}`
  let made = formats.get(key)
  if (!made) {
    if (formats.size > 500) formats.clear()
    made = new Intl.DateTimeFormat(language === 'de' ? 'de-CH' : 'en-GB', { ...options, timeZone: zone })
    formats.set(key, made)
  }
  return made
}

const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }

/** A time as people at the door say it: the hour alone on the same day, the day with it otherwise. */
export function timeAt(language: Language, zone: string, instant: number | string, seenFrom: number | string): string {
  const at = new Date(instant)
  const time = format(language, zone, TIME).format(at)
  const day = format(language, zone, DAY)
  const date = day.format(at)
  return date === day.format(new Date(seenFrom)) ? time : `${date}, ${time}`
}

/** What a zone is called where people live: Europe/Zurich is Zurich. */
export const cityOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

const credentialNouns: Record<Language, Record<string, string>> = {
  en: {
    card: 'Card',
    pin: 'PIN',
    mobile: 'Mobile key',
    transponder: 'Transponder',
    qr: 'QR code',
    plate: 'Number plate',
    biometric: 'Biometric template',
  },
  de: {
    card: 'Karte',
    pin: 'PIN',
    mobile: 'Mobiler Schlüssel',
    transponder: 'Transponder',
    qr: 'QR-Code',
    plate: 'Kennzeichen',
    biometric: 'Biometrisches Merkmal',
  },
}

interface NamedCredential {
  type: string
  number: string | null
  label: string | null
  is_unseen?: boolean
}

/** "Card 4711": what it is and what is written on it. A PIN's number is nobody's business. */
export function credentialName(language: Language, { type, number, label, is_unseen }: NamedCredential): string {
  const noun = credentialNouns[language][type] ?? type
  const mark = is_unseen ? null : type === 'pin' ? label : (number ?? label)
  return mark ? `${noun} ${mark}` : noun
}
