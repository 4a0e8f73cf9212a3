import type { ResourceWords } from '../messages.ts'

/** The names of each resource, and what to do where there is none yet. */
export const resources: ResourceWords = {
  locations: {
    one: 'Location',
    many: 'Locations',
    empty: 'A location is a country, a city or a site. Buildings stand in locations: start with one.',
  },
  buildings: { one: 'Building', many: 'Buildings', empty: 'Create the first building, then give it spaces.' },
  spaces: { one: 'Space', many: 'Spaces', empty: 'A space is a room or an area of a building. Doors lead into spaces.' },
  'access-points': {
    one: 'Access point',
    many: 'Access points',
    empty: 'Doors, gates, barriers: everything that can be opened. Each leads into a space.',
  },
  'locking-system': {
    one: 'Locking system',
    many: 'Locking systems',
    empty: 'A locking system groups cylinders and the keys that open them.',
  },
  cylinders: { one: 'Cylinder', many: 'Cylinders', empty: 'Add the cylinders of a locking system, and the doors they are in.' },
  'key-types': { one: 'Key type', many: 'Key types', empty: 'A key type stands for all keys with the same cut.' },
  keys: { one: 'Key', many: 'Keys', empty: 'Add the copies of a key type, to issue them to people.' },
  'key-handovers': {
    one: 'Handover',
    many: 'Key register',
    none: 'No handovers yet',
    empty: 'Issue a key to a person, and it is noted here.',
  },
  'access-control-systems': {
    one: 'Access control system',
    many: 'Access control systems',
    empty: 'Connect the system that drives your electronic doors.',
  },
  individuals: { one: 'Person', many: 'People', empty: 'Add the people who go through your doors.' },
  credentials: { one: 'Credential', many: 'Credentials', empty: 'Cards, PINs and phones: what people open doors with.' },
  'access-groups': {
    one: 'Access group',
    many: 'Access groups',
    empty: 'Put people with the same access into one group, and give it to the group.',
  },
  'access-group-members': { one: 'Member', many: 'Members', empty: 'Add people to this group: they get its access.' },
  memberships: { one: 'Membership', many: 'Groups', none: 'In no group yet', empty: 'Members of a group get what the group was granted.' },
  'access-grants': { one: 'Access grant', many: 'Access grants', empty: 'A grant says who may open what, and for how long.' },
  'who-can-open': {
    one: 'Person',
    many: 'Who gets in',
    none: 'Nobody can open this',
    empty: 'No grant reaches here, and nobody holds a key that fits.',
  },
  'who-can-enter': {
    one: 'Person',
    many: 'Who gets in',
    none: 'Nobody gets in here',
    empty: 'No grant reaches here, and nobody holds a key that fits.',
  },
  'can-open': { one: 'Door', many: 'Doors', none: 'Nothing can be opened', empty: '' },
  organization: { one: 'Organization', many: 'Organization', empty: '' },
  users: { one: 'User', many: 'Users', empty: 'Invite the people who work with Gatehouse.' },
  'service-users': {
    one: 'Service user',
    many: 'Service Users',
    empty: 'A service user stands for other software that uses the API. Create one, then give it a token and a role.',
  },
  tokens: { one: 'Token', many: 'Tokens', empty: 'Software proves itself with a token. Create one to use the API as this service user.' },
  roles: { one: 'Role', many: 'Roles and Permissions', empty: 'A role is a set of permissions.' },
  'role-assignments': { one: 'Role', many: 'Roles', empty: 'Without a role it may do nothing. Assign one, everywhere or in one place.' },
  sessions: { one: 'Session', many: 'Sessions', empty: 'Nobody is logged in.' },
  'oauth-applications': {
    one: 'OAuth application',
    many: 'OAuth applications',
    empty: 'Software that acts for people who consent to it, or as a service user by OAuth 2.0.',
  },
  'oauth-grants': { one: 'Access', many: 'Applications with access', empty: 'You have given no application access.' },
  'external-identities': {
    one: 'External identity',
    many: 'External identities',
    empty: 'Tokens of other issuers that you trust can act as users and service users of yours. Name the first one.',
  },
  passkeys: { one: 'Passkey', many: 'Passkeys', empty: 'You have none yet.' },
  identities: { one: 'Identity', many: 'Single sign-on', empty: 'Nothing is connected yet.' },
  'audit-log': { one: 'Audit entry', many: 'Audit log', empty: 'Every change is noted here.' },
}
