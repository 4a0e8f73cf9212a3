import { keysOf } from './typed.ts'

/** Every permission, `noun:verb`, with a sentence for people. The noun is the one in the path. */
export const permissions = {
  'access-control-systems:read': 'See access control systems.',
  'access-control-systems:simulate': 'Play what happens at the doors of a simulator.',
  'access-control-systems:write': 'Create, change and delete access control systems.',
  'access-decisions:check': 'Ask whether a door opens for somebody, and why.',
  'access-decisions:check-pin': 'Ask whether a PIN is the right one; for what reads PINs at doors.',
  'access-events:read': 'See what happened at the doors.',
  'access-events:write': 'Report what happened at the doors.',
  'access-grants:read': 'See who was given access to what.',
  'access-grants:write': 'Give, change and revoke access.',
  'access-groups:read': 'See access groups and their members.',
  'access-groups:write': 'Create, change and delete access groups and their members.',
  'access-points:audience': 'See who can open a door, and by what means.',
  'access-points:read': 'See doors, gates and other access points.',
  'access-points:unlock': 'Unlock, lock, block and release doors from afar.',
  'access-points:write': 'Create, change and delete access points.',
  'access-requests:read': 'See who asked for access to what.',
  'access-requests:write': 'Ask for access, for oneself or for others, and withdraw that.',
  'access-reviews:read':
    'See access reviews: who could open what at a place on a day, by name, group and key, and what was decided.',
  'access-reviews:write': 'Start, decide and close access reviews.',
  'alarms:acknowledge': 'Acknowledge and close alarms.',
  'alarms:read': 'See alarms.',
  'audit-log:read': 'Read the audit log.',
  'buildings:read': 'See buildings.',
  'buildings:write': 'Create, change and delete buildings.',
  'calendars:read': 'See calendars and their holidays.',
  'calendars:write': 'Create, change, fill and delete calendars.',
  'changes:read': 'Follow what changes, as far as it may be seen.',
  'commands:read': 'See what doors were told from afar, and what became of it.',
  'credentials:read': 'See cards, PINs and other credentials (never a PIN itself).',
  'credentials:write': 'Create, change, block and delete credentials.',
  'cylinders:read': 'See cylinders.',
  'cylinders:write': 'Create, change and delete cylinders.',
  'external-identities:read': 'See which identities of other issuers are known here.',
  'external-identities:write': 'Say whom an identity of another issuer stands for.',
  'floor-plans:read': 'See floor plans, and where doors are on them.',
  'floor-plans:write': 'Create, change and delete floor plans, and place doors on them.',
  'imports:read': 'See imports of your own; with a role for the whole organization those of others too.',
  'imports:write': 'Take in files, of what you may create and change.',
  'individuals:read': 'See people.',
  'individuals:write': 'Create, change, suspend, offboard and anonymise people.',
  'key-types:read': 'See key types and locking plans.',
  'key-types:write': 'Create, change and delete key types and locking plans.',
  'keys:handover': 'Issue and take back keys, report them lost, found or stolen.',
  'keys:read': 'See keys and the register of their handovers.',
  'keys:write': 'Create, change and delete keys.',
  'locations:read': 'See locations.',
  'locations:write': 'Create, change and delete locations.',
  'locking-system:read': 'See locking systems.',
  'locking-system:write': 'Create, change and delete locking systems.',
  'lockdowns:evacuate': 'Start an evacuation, and nothing else: for a fire panel.',
  'lockdowns:read': 'See lockdowns, evacuations and drills.',
  'lockdowns:write': 'Start and release lockdowns, evacuations and drills.',
  'oauth-applications:read': 'See OAuth applications (never their secrets).',
  'oauth-applications:write': 'Create, change, suspend and delete OAuth applications, and renew their secrets.',
  'organization:read': 'See the settings of the organization.',
  'organization:write': 'Change the settings of the organization.',
  'presence:forgive': 'Forget where somebody was last seen, so that a door lets them in again.',
  'presence:read': 'See who is in a space, and the muster list of a building.',
  'role-assignments:read': 'See who has which role.',
  'role-assignments:write': 'Give and take roles.',
  'roles:read': 'See roles and their permissions.',
  'roles:write': 'Create, change and delete roles.',
  'schedules:read': 'See schedules, and when they are open.',
  'schedules:write': 'Create, change and delete schedules.',
  'scim:write': 'Take over people and groups from an identity provider (SCIM).',
  'service-users:read': 'See service users.',
  'service-users:write': 'Create, change, suspend and delete service users.',
  'spaces:read': 'See spaces.',
  'spaces:write': 'Create, change and delete spaces.',
  'tokens:read': 'See the tokens of service users (never their values).',
  'tokens:write': 'Create, rotate and revoke tokens of service users.',
  'users:read': 'See the people who can log in.',
  'users:write':
    'Invite, change, suspend and delete the people who can log in, and give them a link to a new password.',
  'webhooks:read': 'See where what happens is sent to, and what arrived (never the secrets).',
  'webhooks:write': 'Create, change, test, replay and delete webhooks.',
  'visits:read': 'See visits.',
  'visits:receive': 'Note that visitors came and left.',
  'visits:write': 'Invite visitors, which lets them in for the time of their visit, and call visits off.',
} as const satisfies Record<string, string>

export type Permission = keyof typeof permissions
export const allPermissions = keysOf(permissions)

const identityNouns = new Set([
  'audit-log',
  'external-identities',
  'oauth-applications',
  'organization',
  'role-assignments',
  'roles',
  'service-users',
  'tokens',
  'users',
])
/** Given by name alone: no pattern hands them out. */
const byName: ReadonlySet<Permission> = new Set([
  'access-decisions:check-pin',
  'access-points:unlock',
  'lockdowns:evacuate',
  'lockdowns:write',
])
/** Of those, the one of machines: whoever looks things up does not learn PINs by asking. */
const ofReaders: Permission = 'access-decisions:check-pin'
const nounOf = (permission: string) => permission.slice(0, permission.indexOf(':'))
/** Whether it is about who may use the service and how, rather than about the estate. */
export const isIdentityPermission = (permission: Permission): boolean => identityNouns.has(nounOf(permission))
const verbOf = (permission: string) => permission.slice(permission.indexOf(':') + 1)
const where = (test: (noun: string, verb: string) => boolean) =>
  allPermissions.filter((permission) => !byName.has(permission) && test(nounOf(permission), verbOf(permission)))

/** To see, to ask: changes nothing. */
const isLooking = (verb: string): boolean => verb === 'read' || verb === 'check' || verb === 'audience'

/** The roles every organization starts with. They cannot be changed; copy one to make your own. */
export const builtInRoles: ReadonlyArray<{ name: string; description: string; permissions: Permission[] }> = [
  { name: 'Owner', description: 'Everything, including who else may do what.', permissions: allPermissions },
  {
    name: 'Administrator',
    description: 'Everything but giving and defining roles.',
    permissions: [
      ...where((noun, verb) => !(['roles', 'role-assignments'].includes(noun) && verb === 'write')),
      ...byName,
    ],
  },
  {
    name: 'Facility manager',
    description: 'Manages places, doors, locks, keys, people, credentials and access.',
    permissions: where((noun) => !identityNouns.has(noun)),
  },
  {
    name: 'Operator',
    description: 'Day-to-day work: looks everything up, hands out keys and credentials, manages people.',
    permissions: [
      ...where(
        (noun, verb) =>
          (!identityNouns.has(noun) && isLooking(verb)) ||
          verb === 'handover' ||
          verb === 'receive' ||
          ['handover', 'acknowledge', 'forgive'].includes(verb) ||
          (['access-requests', 'credentials', 'imports', 'individuals'].includes(noun) && verb === 'write'),
      ),
      ...[...byName].filter((permission) => permission !== ofReaders),
    ],
  },
  {
    name: 'Auditor',
    description: 'Reads everything, the audit log included, and changes nothing.',
    permissions: where((_noun, verb) => isLooking(verb)),
  },
  {
    name: 'Integration',
    description:
      'For other software: reads and writes the estate, people and access, nothing of who may use the service.',
    permissions: [...where((noun) => !identityNouns.has(noun)), ofReaders],
  },
]
