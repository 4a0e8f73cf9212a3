/** Who can open what, at which moment, and why. */
export const opening = {
  title: 'Who can open',
  text: 'Who can open which door, when and why.',
  about: 'What it is about',
  kinds: { door: 'Door', space: 'Space', person: 'Person' },
  pick: { door: 'Which door?', space: 'Which space?', person: 'Which person?' },
  empty: 'Ask about a door, a space or a person',
  emptyText:
    'You see who gets in or what somebody can open, by what and through which grant, now or at any other moment.',
  asked: 'Asked last',
  peopleGetIn: (count: number, shown: string, all: string) =>
    count === 1 ? `it opens for 1 of ${all} with a right.` : `it opens for ${shown} of ${all} with a right.`,
  doorsOpen: (count: number, shown: string, all: string) =>
    all === '1'
      ? `they can${count === 0 ? 'not' : ''} open the 1 door that they have a right to.`
      : `they can open ${count === 0 ? 'none' : shown} of the ${all} doors that they have a right to.`,
  asFarAsSeen: 'There may be more, which you do not see.',
  compare: 'Compare with another moment',
  comparedWith: 'Compared with',
  before: 'Before',
  after: 'After',
  impactTitle: 'What this changes',
  impactUnseen: 'You may not see who can open doors, so who gains or loses one is not told.',
  noImpact: 'Nobody gains or loses a right to open a door, now or when this begins or ends.',
  impactFrom: (moment: string) => `Not now, but from ${moment} on:`,
  gain: (people: number, doors: number, peopleShown: string, doorsShown: string) =>
    `${people === 1 ? '1 person gains' : `${peopleShown} people gain`} ` +
    `${doors === 1 ? '1 door' : `${doorsShown} doors`}`,
  lose: (people: number, doors: number, peopleShown: string, doorsShown: string) =>
    `${people === 1 ? '1 person loses' : `${peopleShown} people lose`} ` +
    `${doors === 1 ? '1 door' : `${doorsShown} doors`}`,
  impactMore: (count: string) => `and ${count} more, each a person and a door`,
  when: 'When',
  now: 'Now',
  tonight: 'Tonight 22:00',
  lastTuesday: 'Last Tuesday',
  other: 'Another time',
  moment: 'Date and time',
  allowedOnly: 'Only where it opens',
  asThen: 'As everything was set up then.',
  answer: 'Answer',
  why: 'Why?',
  toGrant: 'The access grant that decides',
  unseen: 'Not for you to see',
  lostKeys: (count: number) =>
    count === 1
      ? 'A key that nobody can account for opens here too:'
      : `${count} keys that nobody can account for open here too:`,
}
