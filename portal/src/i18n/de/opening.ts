import type { Messages } from '../messages.ts'

export const opening: Messages['opening'] = {
  when: 'Wann',
  now: 'Jetzt',
  tonight: 'Heute 22:00',
  other: 'Andere Zeit',
  moment: 'Datum und Uhrzeit',
  allowedOnly: 'Nur wo sich öffnet',
  asThen: 'Wie damals alles eingestellt war.',
  answer: 'Antwort',
  why: 'Warum?',
  toGrant: 'Die entscheidende Berechtigung',
  unseen: 'Für Sie nicht sichtbar',
  lostKeys: (count) =>
    count === 1
      ? 'Auch ein Schlüssel öffnet hier, über dessen Verbleib niemand Bescheid weiß:'
      : `Auch ${count} Schlüssel öffnen hier, über deren Verbleib niemand Bescheid weiß:`,
}
