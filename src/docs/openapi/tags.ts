import type { OpenApiTag } from './types.ts'

/**
 * The reference's chapters, in the order in which an estate is built up. A tag that is not here comes before the last,
 * by name.
 */
const chapters: Record<string, string> = {
  overview: 'How everything stands, in one call.',
  locations: 'Sites, campuses and cities: a tree of places. A role can be limited to one of them and all below it.',
  buildings: 'Buildings and their wings. Each stands at a location.',
  spaces:
    'Rooms and areas within a building. An access point leads into a space. The list has its own parameters and its ' +
    'own shape of `meta`; the summary counts who and what reaches the space.',
  'access points':
    'Doors, gates, barriers, turnstiles, lockers: whatever opens. Each leads into a space, and may carry a cylinder, ' +
    'or be driven by an access control system, or both.',
  'locking systems':
    'Mechanical and mechatronic locking systems, with their security cards and what belongs to them. The list is ' +
    'also at `/v1/core/locking-system`, in its own shape.',
  cylinders: 'The cylinders of a locking system, in stock or installed in an access point.',
  'key types': 'Which keys a locking system knows, in their hierarchy, and which cylinders each of them opens.',
  'locking plans': 'The matrix of key types and cylinders: which key opens what.',
  keys:
    'Every single copy of a key: where it is, who holds it, when it is due back. What happens to a key is a step ' +
    'of its own, such as issuing it or reporting it lost.',
  'key handovers': 'The register: who was given which key, when, and when it came back.',
  'access control systems': 'Electronic access control: the controllers and cloud services that drive access points.',
  individuals: 'The people who walk through doors: employees, contractors, tenants, visitors.',
  credentials:
    'What people carry or know: cards, PINs, mobile keys, transponders, plates. A PIN is taken and never shown.',
  'access groups': 'People who are given access together.',
  'access group members': 'Who belongs to an access group, and from when to when.',
  calendars: 'Holidays and other days that differ.',
  schedules: 'When something holds: weekly windows, and what applies on holidays.',
  'access grants': 'Who may open what, and when. A grant that denies wins over any that allows.',
  'access decisions': 'May this person open that door, and why?',
  'access events': 'What happened at the doors.',
  changes:
    'What was created, changed and deleted, and what the clock changed: to follow along, by reading on or as a stream.',
  webhooks: 'What happens, sent to an address of yours as it happens, signed by Standard Webhooks.',
  'webhook deliveries': 'What was sent, and what came back.',
  login: 'Logging in: sessions are for people and the pages of this service, tokens for software.',
  me: 'Whoever is calling: who that is, what they may do; their password and second factor.',
  sessions: 'Where you are logged in.',
  passkeys: 'Keys that devices of yours keep, to log in with neither address nor password.',
  identities: 'Accounts of yours at providers of single sign-on.',
  organization: 'Your organization: its name, time zone and language, and how long its tokens may live.',
  users: 'People who can log in. They are invited, choose a password of their own, and act within their roles.',
  'service users': 'Software that uses this service. A service user acts through its tokens, within its roles.',
  tokens: 'Personal access tokens of service users. The value of a token is shown once, when it is made.',
  roles: 'What may be done, as sets of permissions. Some are built in; others can be made.',
  'role assignments':
    'Who has which role, and where: everywhere, or at one location or in one building with all below it.',
  'OAuth applications':
    'Software that acts for people who consent to it, or as a service user of its own, by OAuth 2.0. Its id is its ' +
    '`client_id`.',
  'OAuth consent': 'For the page that asks somebody for their consent.',
  'OAuth grants': 'What you have let applications do for you.',
  'external identities': 'Whom other issuers that the configuration trusts mean by a subject.',
  'audit log': 'Every change: who made it, when, from where, and what it was before and after.',
  service: 'Is it alive, is it ready? For load balancers and monitoring; no credential needed.',
}

const LAST = 'service'
const order = Object.keys(chapters)

export const titleOf = (tag: string): string => tag.charAt(0).toUpperCase() + tag.slice(1)

const rank = (tag: string): number =>
  tag === LAST ? order.length : order.indexOf(tag) === -1 ? order.length - 1 : order.indexOf(tag)

export const compareTags = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0)

/** `descriptions` are the resources' own, for tags without a chapter. */
export const tagsOf = (used: Iterable<string>, descriptions: ReadonlyMap<string, string>): OpenApiTag[] =>
  [...new Set(used)].sort(compareTags).map((tag) => {
    const description = chapters[tag] ?? descriptions.get(tag)
    return { name: titleOf(tag), ...(description === undefined ? {} : { description }) }
  })
