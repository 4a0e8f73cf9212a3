import type { Messages } from '../messages.ts'

export const opening: Messages['opening'] = {
  title: 'Wer kann öffnen',
  text: 'Wer welche Tür öffnen kann, wann und warum.',
  about: 'Worum es geht',
  kinds: { door: 'Tür', space: 'Raum', person: 'Person' },
  pick: { door: 'Welche Tür?', space: 'Welcher Raum?', person: 'Welche Person?' },
  empty: 'Fragen Sie nach einer Tür, einem Raum oder einer Person',
  emptyText:
    'Sie sehen, wer Zutritt hat oder was jemand öffnen kann, womit und durch welche Berechtigung, jetzt oder zu ' +
    'jeder anderen Zeit.',
  asked: 'Zuletzt gefragt',
  peopleGetIn: (count, shown, all) =>
    `Es öffnet sich für ${count === 1 ? '1' : shown} von ${all} mit einer Berechtigung.`,
  doorsOpen: (count, shown, all) =>
    all === '1'
      ? `Die 1 Tür, für die eine Berechtigung besteht, lässt sich ${count === 0 ? 'nicht ' : ''}öffnen.`
      : `${count === 0 ? 'Keine' : shown} der ${all} Türen, für die eine Berechtigung ` +
        `besteht, ${count === 1 ? 'lässt' : 'lassen'} sich öffnen.`,
  asFarAsSeen: 'Es kann mehr geben, was Sie nicht sehen.',
  compare: 'Mit einem anderen Zeitpunkt vergleichen',
  comparedWith: 'Verglichen mit',
  before: 'Vorher',
  after: 'Nachher',
  impactTitle: 'Was sich dadurch ändert',
  impactUnseen:
    'Sie dürfen nicht sehen, wer Türen öffnen kann; wer eine gewinnt oder verliert, wird daher nicht gesagt.',
  noImpact:
    'Niemand gewinnt oder verliert das Recht, eine Tür zu öffnen, weder jetzt noch wenn dies beginnt oder endet.',
  impactFrom: (moment) => `Nicht jetzt, aber ab ${moment}:`,
  gain: (people, doors, peopleShown, doorsShown) =>
    `${people === 1 ? '1 Person gewinnt' : `${peopleShown} Personen gewinnen`} ` +
    `${doors === 1 ? '1 Tür' : `${doorsShown} Türen`}`,
  lose: (people, doors, peopleShown, doorsShown) =>
    `${people === 1 ? '1 Person verliert' : `${peopleShown} Personen verlieren`} ` +
    `${doors === 1 ? '1 Tür' : `${doorsShown} Türen`}`,
  impactMore: (count) => `und ${count} weitere, je eine Person und eine Tür`,
  when: 'Wann',
  now: 'Jetzt',
  tonight: 'Heute 22:00',
  lastTuesday: 'Letzten Dienstag',
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
