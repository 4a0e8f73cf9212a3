/** Who can open what, at which moment, and why. */
export const opening = {
  when: 'When',
  now: 'Now',
  tonight: 'Tonight 22:00',
  other: 'Another time',
  moment: 'Date and time',
  allowedOnly: 'Only where it opens',
  asThen: 'As everything was set up then.',
  answer: 'Answer',
  why: 'Why?',
  toGrant: 'The access grant that decides',
  unseen: 'Not for you to see',
  lostKeys: (count: number) =>
    count === 1 ? 'A key that nobody can account for opens here too:' : `${count} keys that nobody can account for open here too:`,
}
