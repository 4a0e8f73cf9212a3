import { type ErrorCode, type ErrorDetail, errorStatus } from '../core/errors.ts'
import { keysOf } from '../core/typed.ts'
import type { ExampleRequest } from './curl.ts'

/**
 * The words for people behind each error code: `/docs/api/errors/<CODE>` is made of them.
 * fix: the same request fails again. wait: the same request may succeed later. check: look first at what happened.
 */
type Retry = 'fix' | 'wait' | 'check'

interface ErrorExample {
  readonly title: string
  readonly status: number
  readonly request: ExampleRequest
  /** The answer's headers that matter for this error. */
  readonly headers?: Readonly<Record<string, string>>
  readonly msg: string
  readonly reason?: string
  readonly details?: readonly ErrorDetail[]
}

interface ReasonGroup {
  readonly title: string
  readonly reasons: Readonly<Record<string, string>>
}

interface ErrorEntry {
  readonly title: string
  readonly statuses: readonly number[]
  readonly retry: Retry
  readonly meaning: readonly string[]
  readonly steps: readonly string[]
  readonly examples: readonly [ErrorExample, ...ErrorExample[]]
  readonly reasons?: readonly ReasonGroup[]
}

interface ErrorBody {
  readonly msg: string
  readonly error: {
    readonly code: ErrorCode
    readonly docs: string
    readonly req_id: string
    readonly reason?: string
    readonly details?: readonly ErrorDetail[]
  }
}

export const errorDocsPath = (code: ErrorCode) => `/docs/api/errors/${code}`

/** An example's answer, as the API sends it. */
export function exampleBody(code: ErrorCode, example: ErrorExample, docsUrl: string): ErrorBody {
  return {
    msg: example.msg,
    error: {
      code,
      docs: docsUrl + errorDocsPath(code),
      req_id: 'req_482015937264',
      ...(example.reason === undefined ? {} : { reason: example.reason }),
      ...(example.details === undefined ? {} : { details: example.details }),
    },
  }
}

export const errorCodes = keysOf(errorStatus)

const authorization = { Authorization: 'Token $TOKEN' }
const json = { ...authorization, 'Content-Type': 'application/json' }
const spaceId = '01997d2a-4c00-7000-8000-000000000001'
const keyId = '01997d2a-4c00-7000-8000-00000000002a'
const individualId = '01997d2a-4c00-7000-8000-000000000113'
const accessPointId = '01997d2a-4c00-7000-8000-000000000077'
const lockingSystemId = '01997d2a-4c00-7000-8000-00000000000c'

const fault = (path: string, rule: string, message: string) => ({
  msg: message,
  reason: rule,
  details: [{ path, rule, message }],
})

export const errorCatalogue: Readonly<Record<ErrorCode, ErrorEntry>> = {
  MALFORMED_REQUEST: {
    title: 'The request could not be read',
    statuses: [400],
    retry: 'fix',
    meaning: [
      'The request is broken at a level below its content: the body is not valid JSON or has the same key twice in ' +
        'an object, text is not valid UTF-8, a header that may stand once stands twice, or the bytes are not HTTP.',
      'Nothing of it was carried out.',
    ],
    steps: [
      'Send the body through a JSON serialiser instead of putting it together as text. A trailing comma, single ' +
        'quotes and comments are not JSON.',
      'Send text as UTF-8.',
      'Send each of `Authorization`, `Content-Type`, `Content-Length`, `If-Match` and `Idempotency-Key` once. A ' +
        'proxy in between may have added its own.',
    ],
    examples: [
      {
        title: 'A body with a trailing comma',
        status: 400,
        request: { method: 'POST', path: '/api/v1/locations', headers: json, body: '{"name": "Headquarters",}' },
        msg: 'The body is not valid JSON in UTF-8',
      },
    ],
  },

  VALIDATION_ERROR: {
    title: 'A parameter or a field does not fit',
    statuses: [400],
    retry: 'fix',
    meaning: [
      'The request was understood, but a query parameter, a header or a field of the body is not what this operation ' +
        'takes. Nothing was changed.',
      'Nothing is ignored and nothing is adjusted: an unknown parameter, a read-only field and a page size over the ' +
        'maximum are all refused. A filter that was dropped in silence would widen the answer, and that is the wrong ' +
        'direction for access control.',
    ],
    steps: [
      'Read `msg`: it names the parameter or field, what was wrong with it and what is expected.',
      'For programs, `error.reason` is a stable word from the tables below. `error.details` lists each fault with ' +
        'its `path` (a parameter name, or a path into the body such as `windows.0.start`), at most 20 of them.',
      'Compare the request with the operation in the [API reference](/docs).',
    ],
    examples: [
      {
        title: 'A page size over the maximum',
        status: 400,
        request: { method: 'GET', path: '/api/v1/access-points?limit=500', headers: authorization },
        ...fault(
          'limit',
          'limit.out_of_range',
          'Parameter "limit": "500" is not accepted; expected an integer from 1 to 100, in plain digits',
        ),
      },
      {
        title: 'A field that the resource does not have',
        status: 400,
        request: {
          method: 'POST',
          path: '/api/v1/locations',
          headers: json,
          body: { name: 'Headquarters', timezone: 'Europe/Berlin' },
        },
        ...fault('timezone', 'body.unknown_field', 'timezone is not a field that can be set here'),
      },
    ],
    reasons: [
      {
        title: 'Query parameters',
        reasons: {
          'webhook.feed':
            'There is no such feed, or by its types the webhook sends nothing of it: `changes` or `access-events` is ' +
            'expected.',
          'webhook.types':
            'Nothing has this type, so it would never be sent. Nouns are those of the paths in the singular.',
          'webhook.unreachable':
            'Nothing could ever be delivered to this address: use https:// and a public address, or have whoever ' +
            'runs the service permit it by OUTGOING_ALLOW.',
          'webhook.url': 'The address of a webhook begins with https:// and has no name, password or fragment in it.',
          'feed.ahead':
            'The cursor lies after the newest entry: it is of another organization, or the database was restored ' +
            'from a backup. Read everything anew.',
          'feed.expired':
            'What came after the cursor is not kept any more. Read everything anew, then go on after the newest.',
          'encoding.malformed':
            'The query string has a broken % sequence, bytes that are not UTF-8, or a NUL character.',
          'query.too_long': 'The query string is longer than 8 KiB.',
          'param.unknown': 'This operation has no such parameter.',
          'param.repeated': 'A parameter that may stand once stands twice.',
          'param.not_uuid': 'The value is not a UUID.',
          'param.not_boolean': 'The value is neither `true` nor `false`.',
          'param.not_date': 'The value is not a day of the calendar, `YYYY-MM-DD`.',
          'param.not_timestamp':
            'The value is neither an RFC 3339 timestamp nor `YYYY-MM-DD`. Write a plus sign as `%2B`.',
          'param.not_offered': 'The value is none of those that the parameter takes; `msg` lists them.',
          'param.length': 'The value is empty or too long.',
          'param.list_too_long': 'A list of ids has more than 100 of them.',
          'param.required': 'A parameter that must be given is missing.',
          'param.not_integer': 'The value is not a whole number in plain digits.',
          'param.out_of_range': 'The number is smaller or larger than the parameter takes.',
          'param.not_time_zone': 'The value is not an IANA time zone such as `Europe/Zurich`.',
          'schedule.own_time_zone':
            'The schedule has a time zone of its own, and another was asked for. Leave `time_zone` out.',
        },
      },
      {
        title: 'Paging',
        reasons: {
          'page.not_integer': '`page` is not a whole number in plain digits.',
          'page.out_of_range': '`page` is below 1 or above 2147483647.',
          'limit.not_integer': '`limit` is not a whole number in plain digits.',
          'limit.out_of_range': '`limit` is below 1 or above 100.',
          'cursor.with_page': '`page` and `cursor` are given together. Use one of them.',
          'cursor.invalid': '`cursor` is not one that a list of yours gave. Begin again with an empty one.',
          'cursor.other_query':
            'The cursor was given for another query. Repeat the other parameters as they were, or begin again.',
          'export.paged': 'A file has the whole list: leave `page`, `limit` and `cursor` out.',
          'cursor.order':
            'What the list is to be ordered by can be longer than a cursor holds. Order by fewer or shorter fields.',
        },
      },
      {
        title: 'Order and select',
        reasons: {
          'order.empty_term': '`order` is empty, or has a comma too many.',
          'order.syntax': 'A term is not of the form `field.desc.nullslast`.',
          'order.unknown_field': 'The resource has no such field.',
          'order.not_sortable': 'The field exists, but lists cannot be sorted by it.',
          'order.duplicate_field': 'The same field stands twice.',
          'order.too_many': '`order` has more than 10 terms.',
          'select.empty_term': '`select` is empty, or has a comma too many.',
          'select.syntax': 'An item is neither a plain field name nor `reference(field,field)`.',
          'select.unknown_field': 'The resource has no such field.',
          'select.duplicate_field': 'The same field stands twice.',
          'group_by.unknown_field': 'The resource has no such field.',
          'group_by.not_groupable':
            'Items are counted by fields with a fixed set of values, by true and false, and by references; this is ' +
            'none.',
          'group_by.duplicate_field': 'The same field stands twice.',
          'group_by.too_many': '`group_by` has more than 3 fields.',
          'select.star_not_alone': '`*` stands beside other fields.',
        },
      },
      {
        title: 'Filters and search',
        reasons: {
          'filter.unknown_field': 'The resource has no such field.',
          'filter.not_filterable': 'The field exists, but lists cannot be filtered by it.',
          'filter.unknown_operator': 'The value does not begin with an operator and a dot, such as `eq.` or `not.in.`.',
          'filter.operator_type': 'The operator is not for fields of this type.',
          'filter.value_type':
            'The value is not of the field’s type. Write a plus sign as `%2B`, and ask for null with `is.null`.',
          'filter.enum_value':
            'The field has a fixed set of values, and the one behind `eq`, `neq` or `in` is none of them. `msg` ' +
            'lists them.',
          'filter.is_value': '`is.` takes `null`, `not_null`, `true` or `false`.',
          'filter.list_syntax': 'A list is not of the form `in.(a,b,"c,d")`.',
          'filter.list_too_long': 'A list has more than 100 items.',
          'filter.group_syntax':
            '`or` is not of the form `(a.eq.1,and(b.gt.2,c.is.null))`. Values with commas or parentheses stand in ' +
            'quotes.',
          'filter.too_deep': '`or` holds more than two groups within each other.',
          'filter.too_many':
            'There are more than 20 filters, or more than 5 with `like` or `ilike`. Use `search`, or ask for less at ' +
            'a time.',
          'filter.pattern_too_long':
            'The pattern behind `like` or `ilike` has more than 200 characters or more than 10 wildcards (`*`).',
          'search.too_many_words':
            '`search` has more than 10 different words. Search for the few that tell the item apart.',
        },
      },
      {
        title: 'Body',
        reasons: {
          'body.required': 'A field that must be given is missing, or the body is.',
          'body.unknown_field': 'The resource has no such field.',
          'body.read_only': 'The field is set by the service, or was fixed at creation.',
          'body.fixed':
            'The item is there, and a field that was fixed at its creation is asked to be another. Leave it out, or ' +
            'send what it is.',
          'import.file': 'The file of an import cannot be read, is empty, or is no CSV or XLSX file.',
          'import.headings': 'The first row of the file must give each column a heading of its own.',
          'import.mapping':
            'The mapping names a column that the file has not, a field that cannot be set, or none at all.',
          'import.resource':
            'This is not taken in from files: it decides who may use the service, or something of it is shown once.',
          'floor_plan.image': 'The image cannot be read, is too large to be shown, or is no image; `msg` says which.',
          'floor_plan.other_building': 'Only doors of the building of the plan, and of its wings, are placed on it.',
          'import.order': 'In the form of an import the file comes last.',
          'import.cell': 'A cell does not hold what its field takes, such as a day or a number.',
          'import.ambiguous': 'A cell names more than one item: name it by external_id or id.',
          'members.twice': 'An individual is named twice among the members of a group.',
          'batch.operation':
            'An operation of a batch does not say, or says twice, which item it means, or the resource has no such ' +
            'operation.',
          'body.type': 'The value has the wrong JSON type. Types are not converted: `"5"` is not `5`.',
          'body.range': 'The number is too small or too large.',
          'body.length': 'The text or list is too short or too long.',
          'body.format': 'The text is not in the expected form: a UUID, a date, a time, an address.',
          'body.enum': 'The value is not one of those allowed.',
          'body.invalid': 'It does not fit in another way, which `msg` describes.',
          'command.unlock_only': 'How long is said of an unlocking alone.',
          'event.contradiction': 'The result of an event is not the one that its type means.',
          'event.of_nothing':
            'An event that raises an alarm says neither its door nor its system, or one of a system does not say ' +
            'which.',
          'reference.not_found': 'The id in this field names nothing that you may see.',
          'reference.cycle': 'The item would lie below itself.',
          'building.wing_location': 'A wing must lie at the location of its building.',
          'calendar.day_twice': 'A date stands twice among the days of a calendar.',
          'calendar.no_region':
            'Holidays are to be proposed, and neither the request nor the calendar says for which region.',
          'calendar.unknown_region':
            'No holidays are known for this region. `GET /api/v1/calendars/regions` lists those known.',
          'calendar.not_ical': 'The body is not an iCalendar file.',
          'calendar.years': 'The last year lies before the first, or they are too many at once.',
          'calendar.too_many_days': 'The calendar would have more than 2,000 days.',
          'schedule.no_holiday_windows': '`on_holiday` is `windows`, and `holiday_windows` is empty.',
          redirect_uri: 'People cannot be sent back to this address; `msg` says why.',
          public_application: 'A public OAuth application cannot act as a service user.',
          'issuer.not_trusted': 'The configuration (`TRUSTED_ISSUERS`) does not name this issuer.',
          one_of: 'Exactly one of two fields must be given.',
          'place.one':
            'A role or token is limited to a location or to a building, and somebody belongs to one of them; never ' +
            'to both. Give one of them.',
          'role_assignment.one_holder': 'A role is given to a user or to a service user. Give one of the two ids.',
          'external_id.differs': 'The body has another external_id than the path.',
          'external_id.limited_role':
            'Your role is limited to places, and this key is unique in the whole organization: leave it out, or have ' +
            'somebody with the whole set it.',
          'decision.who':
            'A decision is about one: an individual, a credential by its id, or what a reader read. Give exactly one ' +
            'of the three.',
          'as_of.future': 'Settings are known up to now. Ask about a later hour with `at`.',
          'as_of.pin':
            'PINs of earlier are not kept. Ask without one: by `individual_id`, `credential_id`, or the number of a ' +
            'card.',
          'as_of.before_history':
            'The history of settings begins at the moment that the message names. Ask for one since then.',
          'changes.order': 'The second moment lies before the first. Exchange them.',
          'access_review.due': 'The day by which a review is to be done must not lie in the past.',
          'visit.place': 'Each place is named by exactly one id.',
          'visit.visitor':
            'Only an individual of kind visitor comes to visit. Change their kind, or name somebody else.',
          'visit.visitor_not_yet_valid':
            'The visit begins before the visitor is valid themselves. Begin later, or change their valid_from first.',
          'visit.visitor_expired':
            'The visit ends after the visitor is valid themselves. End earlier, or change their valid_until first.',
          'visit.not_active': 'Visitor and host must be active.',
          'visit.over': 'The visit would be over already. Name a later end.',
          'lockdown.target':
            'A lockdown is for one place, or without one for the whole organization. Give at most one.',
          'lockdown.expires_at': 'The end lies in the past. Name a later one, or release it to end it at once.',
          'window.empty': '`valid_until` is not later than `valid_from`.',
          'locking_system.building_elsewhere':
            'The building does not lie at the location that is given. Give one of them, or two that fit.',
          'cylinder.not_installed': 'A cylinder that is in no access point has no `installed_at`.',
          'cylinder.no_access_point':
            'An installed cylinder is in an access point: give `access_point_id` in the same change.',
          'key.not_issued': 'Only a key that somebody holds is due back. Issue it first.',
          'key.other_system': 'A key stays in its locking system. Create it anew in the other one.',
          'handover.future':
            'A handover cannot be recorded before it happens. Name a moment that has been, or none for now.',
          'key_type.other_system': 'The key type above must belong to the same locking system.',
          'offboard.past': 'The day or point in time of the offboarding is over. Leave `on` out to offboard at once.',
          'plan.contradiction': 'The same cell of the locking plan is to be set and cleared. Leave out one of the two.',
          'plan.file': 'The file cannot be read, or holds more than is taken at once; `msg` says which.',
          'plan.no_head': 'The first row of the file does not name key types behind Cylinder, Label and Door.',
          'plan.no_number': 'A row of the file has no number of a cylinder.',
          'plan.twice': 'A cylinder or a key type stands in the file twice.',
          'plan.mark': 'A cell is neither an x nor empty.',
          'plan.unknown_key_type':
            'The file names a key type that the locking system does not have. Create it first, or take the column out.',
          'plan.unknown_cylinder':
            'The file names a cylinder that the locking system does not have. Create it first, or take the row out.',
          'credential.pin_type': 'Only credentials of the types `pin` and `card` have a PIN.',
          'settings.mask':
            'The mask `•••` stands for a secret that is kept already, and none is. Send the secret itself.',
          'settings.secret_in_list': 'A list in `settings` cannot hold a secret. Put it into a member of its own.',
          'mfa.wrong_code':
            'The code is not what the app shows now. Check the clock of the telephone, and send the next one.',
          'passkey.refused': 'It is no answer to what was begun, or its time is up. Begin again.',
          'sign_on.unknown_provider':
            'There is no provider of single sign-on with this name. `GET /api/v1/login/providers` lists them.',
        },
      },
      {
        title: 'Headers',
        reasons: {
          'header.if_match':
            '`If-Match` is neither `*` nor a list of ETags in double quotes. Send the `ETag` as it was answered, ' +
            'quotes included.',
          'header.if_none_match': '`If-None-Match` of a change is neither `*` nor a list of ETags in double quotes.',
          'header.idempotency_key': '`Idempotency-Key` is not 1 to 255 visible ASCII characters.',
        },
      },
    ],
  },

  UNAUTHORIZED: {
    title: 'The request could not be authorized',
    statuses: [401, 403],
    retry: 'fix',
    meaning: [
      'With status **401**, no valid credential came with the request: it is missing, malformed, unknown, expired or ' +
        'revoked. An unknown, an expired and a revoked token look alike on purpose. The `WWW-Authenticate` header ' +
        'names the schemes that are taken.',
      'With status **403**, the credential is good, but its roles do not hold the permission that this operation ' +
        'needs, or the credential itself was made for less than its roles hold.',
    ],
    steps: [
      'Send `Authorization: Token <personal access token>` or `Authorization: Bearer <JWT>`. A personal access token ' +
        'under `Bearer` is refused.',
      'Check that the token is whole: `acs_pat_` and 49 characters more, without quotes or line breaks.',
      'If it may have expired or been revoked, create a new one for the service user.',
      'On 403, look up the permission in the [API reference](/docs), and give the service user a role that holds it. ' +
        'A token with permissions of its own may be narrower than its role.',
    ],
    examples: [
      {
        title: 'No credential',
        status: 401,
        request: { method: 'GET', path: '/api/v1/spaces' },
        headers: { 'WWW-Authenticate': 'Token realm="Gatehouse", Bearer realm="Gatehouse"' },
        msg: 'Send a personal access token: Authorization: Token <token>',
        reason: 'missing_credential',
      },
      {
        title: 'A good credential without the permission',
        status: 403,
        request: { method: 'POST', path: `/api/v1/access-points/${accessPointId}/unlock`, headers: authorization },
        msg: 'This needs the permission access-points:unlock, which your role does not have',
        reason: 'insufficient_permissions',
      },
    ],
    reasons: [
      {
        title: 'With status 401',
        reasons: {
          missing_credential: 'There is no `Authorization` header.',
          malformed_credential:
            'The header is not a scheme and a value, or the token is cut off or mistyped: its checksum does not fit.',
          wrong_scheme: 'The scheme is neither `Token` nor `Bearer`, or the credential belongs under the other one.',
          invalid_credential:
            'The credential is unknown, expired or revoked, or its service user, user or organization is not active.',
          login_failed: 'The e-mail address, the password or the code is wrong; which of them is not said.',
          mfa_required: 'The password is right, and the second factor is missing: send `code` too.',
          invalid_link: 'The token of a set-up link, an invitation or a password reset is unknown, expired or used.',
          organization_suspended:
            'Whoever runs the service has suspended the organization. The link or account is good, and works when ' +
            'the organization does again.',
          'sign_on.expired':
            'Single sign-on was begun in another browser, took longer than 10 minutes, or was finished already.',
          'sign_on.denied': 'The provider of single sign-on did not let the user in.',
          'sign_on.refused': 'The answer of the provider of single sign-on does not fit what was begun.',
          'sign_on.unknown_identity':
            'Nobody is connected with this account of the provider. Log in another way and connect it, or accept an ' +
            'invitation with it.',
          'sign_on.no_email': 'The provider vouches for no e-mail address, without which nobody joins.',
        },
      },
      {
        title: 'With status 403',
        reasons: {
          insufficient_permissions:
            'The credential is good, but does not hold the permission that `msg` names; or it would give somebody ' +
            'else more than it has itself. An OAuth access token that was made without the scope is told so by ' +
            '`WWW-Authenticate` too (`error="insufficient_scope"`): ask for the scope when you get the next token.',
          tokens_cannot_make_tokens:
            'A token, an OAuth access token included, can neither create nor change what others prove themselves ' +
            'with: tokens, links, applications and their secrets, the address that somebody logs in with. Use the ' +
            'command line (`gatehouse token create`) or log in to the portal.',
          tokens_cannot_make_webhooks:
            'A webhook sends what its owner may read to another address, and goes on when the token that made it has ' +
            'ended. So a token, an OAuth access token included, can neither create nor change one, nor see its ' +
            'secret. Log in to the portal.',
          tokens_cannot_give_identity:
            'A token, an OAuth access token included, cannot give a user a role that decides over others (users, ' +
            'roles, tokens, the audit log and the like), nor wake a user who has one. Log in to the portal, or use ' +
            'the command line.',
          recent_login_required:
            'Tokens, roles, users, second factors, OAuth applications and external identities are changed within 10 ' +
            'minutes of giving the password only. Send it to `POST /api/v1/me/confirm-password`, or a passkey’s ' +
            'answer to `POST /api/v1/me/confirm-passkey`, or log in anew; then repeat the request.',
          second_factor_set_up_required:
            'The organization, or a role of the user, demands a second factor, and they have none. Until they have ' +
            'set up an authenticator app (`POST /api/v1/me/totp`) or a passkey, their session is good for nothing ' +
            'else. Tokens are not concerned.',
          second_factor_required:
            'A second factor is demanded of the user, who has one and logged in without it. Send a code to `POST ' +
            '/api/v1/me/confirm-code`, or a passkey’s answer to `POST /api/v1/me/confirm-passkey`; then repeat the ' +
            'request.',
          cross_site_request: 'A session is taken from pages of the same origin only. Other software uses a token.',
          session_required: 'This is for people who have logged in; the caller is a service user.',
          wrong_password: 'The password that was given again is wrong.',
          wrong_code: 'The code that was given to confirm it is wrong, or was used already.',
          wrong_passkey: 'The passkey that was given to confirm it is somebody else’s, or did not answer as it should.',
        },
      },
    ],
  },

  NOT_FOUND: {
    title: 'There is nothing here',
    statuses: [404],
    retry: 'fix',
    meaning: [
      'There is no such path, no item with this id, or the item lies outside the places your role is limited to. The ' +
        'answer is the same for each, so that it does not tell what exists elsewhere.',
    ],
    steps: [
      'Check the path against the [API reference](/docs). The list of locking systems in particular is ' +
        '`/v1/core/locking-system`, without `/api`.',
      'Check that the id belongs to this kind of resource, and to the organization of your token.',
      'If the item exists, check the place (location or building) that the role assignment is limited to.',
    ],
    examples: [
      {
        title: 'An id that names nothing',
        status: 404,
        request: { method: 'GET', path: '/api/v1/spaces/01997d2a-4c00-7000-8000-00000000ffff', headers: authorization },
        msg: 'There is no such item, or it is outside what you may see',
      },
    ],
  },

  METHOD_NOT_ALLOWED: {
    title: 'This path does not take that method',
    statuses: [405],
    retry: 'fix',
    meaning: ['The path exists, but not with this HTTP method. The `Allow` header lists those it takes.'],
    steps: ['Use one of the methods in `Allow`.', 'Change items with `PATCH`: there is no `PUT` of whole items.'],
    examples: [
      {
        title: 'PUT where only PATCH is offered',
        status: 405,
        request: { method: 'PUT', path: `/api/v1/spaces/${spaceId}`, headers: json, body: { name: 'Server room' } },
        headers: { Allow: 'DELETE, GET, HEAD, OPTIONS, PATCH' },
        msg: 'PUT is not possible here; possible: DELETE, GET, HEAD, OPTIONS, PATCH',
      },
    ],
  },

  NOT_ACCEPTABLE: {
    title: 'No answer in the form you asked for',
    statuses: [406],
    retry: 'fix',
    meaning: [
      'The `Accept` header leaves out every form this operation can answer in. Nearly all of them answer in JSON ' +
        'alone.',
    ],
    steps: ['Send `Accept: application/json` or `*/*`, or no `Accept` header at all.'],
    examples: [
      {
        title: 'Asking for XML',
        status: 406,
        request: { method: 'GET', path: '/api/v1/spaces', headers: { ...authorization, Accept: 'application/xml' } },
        msg: 'Answers are application/json; the Accept header leaves no room for it',
      },
    ],
  },

  REQUEST_TIMEOUT: {
    title: 'The request took too long to arrive',
    statuses: [408],
    retry: 'wait',
    meaning: [
      'The connection was open, but the headers or the body did not arrive in time. The connection is closed after ' +
        'this answer. The request was not carried out.',
    ],
    steps: [
      'Send the request again on a new connection.',
      'Send the body as soon as the headers are sent. Do not hold a connection open with half a request on it.',
      'If it happens often, look for a slow proxy or a packet filter in between.',
    ],
    examples: [
      {
        title: 'A body that stops half-way',
        status: 408,
        request: {
          method: 'POST',
          path: '/api/v1/locations',
          headers: { ...json, 'Content-Length': '4096' },
          body: '{"name": "Head',
        },
        headers: { Connection: 'close' },
        msg: 'The request did not arrive in time',
      },
    ],
  },

  CONFLICT: {
    title: 'It collides with something that exists',
    statuses: [409],
    retry: 'fix',
    meaning: [
      'A value that must be unique is taken: an `external_id`, a card number, a key’s stamp within its type. Or two ' +
        'changes of the same thing came at the same moment, and the other was first. Nothing was changed.',
    ],
    steps: [
      'Read `msg`: it names the field that collides.',
      'If you are repeating a creation, the first one has worked. Find the item with a filter, such as ' +
        '`?external_id=eq.sap-4711`.',
      'To make creations safe to repeat, send an `Idempotency-Key`.',
    ],
    examples: [
      {
        title: 'An external_id that is taken',
        status: 409,
        request: {
          method: 'POST',
          path: '/api/v1/locations',
          headers: json,
          body: { name: 'Headquarters', external_id: 'sap-4711' },
        },
        msg: 'external_id is already taken by the location "Headquarters"',
        reason: 'not_unique',
      },
    ],
    reasons: [
      {
        title: 'What collides',
        reasons: {
          not_unique: 'A value that must be unique is taken.',
          caller_changed:
            'What you may do was changed while your change waited for others. Send it again: it is judged by what ' +
            'you may do now.',
          'access_group.provisioned': 'The access group comes from an identity provider by SCIM; change it there.',
          'role_assignment.exists': 'The user or service user has this role in this place already.',
          'login.organization_needed': 'The same login is good for several organizations: name one.',
          'passkey.exists': 'This passkey is registered already.',
          'identity.exists': 'This account of the provider is connected with you already.',
          'identity.taken': 'This account of the provider is connected with somebody else.',
          reference:
            'An item that this one refers to, or that refers to it, was changed or deleted at the same moment. Send ' +
            'the request again.',
        },
      },
    ],
  },

  INVALID_STATE: {
    title: 'Not possible in its present state',
    statuses: [409],
    retry: 'fix',
    meaning: [
      'The item exists and you may change it, but the step you asked for does not lead on from the state it is in: a ' +
        'lost key cannot be handed out, a revoked grant cannot be revoked again.',
    ],
    steps: [
      'Read the item again and look at its `status`.',
      'Take the step that is missing first. A lost key, for example, has to be reported found before it is issued ' +
        'again.',
    ],
    examples: [
      {
        title: 'Issuing a lost key',
        status: 409,
        request: {
          method: 'POST',
          path: `/api/v1/keys/${keyId}/issue`,
          headers: json,
          body: { individual_id: individualId },
        },
        msg: 'The key is lost, so issue is not possible; possible from there: found, write-off',
        reason: 'key.transition',
      },
    ],
    reasons: [
      {
        title: 'Keys, people, credentials and grants',
        reasons: {
          'webhook.disabled': 'The webhook is disabled and sends nothing. Make it active first.',
          'webhook.no_secret':
            'The secret of the webhook went with a key that was lost. Rotate it, then make the webhook active.',
          'webhook.rotated_often':
            'The secret of the webhook was rotated five times within a day, and each that was replaced stays valid ' +
            'for one. Rotate it again when the first of them has ended.',
          'alarm.<status>': 'Somebody has acknowledged or closed the alarm already.',
          'import.status': 'The import is in another state: it was cancelled, is done, or is still under way.',
          'key.transition': 'The key cannot take this step from its `status`; `msg` says which it can.',
          'handover.order':
            'The moment lies before the key last changed hands or state; `msg` says when that was. Record handovers ' +
            'in their order.',
          'individual.not_active': 'Keys are issued to active individuals only.',
          'individual.expired': 'Keys are issued while the individual is valid only.',
          'offboard.planned':
            'Whoever is to be offboarded on a day is not valid beyond it. Take that back (`take-back-offboarding`) ' +
            'or plan another day first.',
          'offboard.not_planned': 'No offboarding is planned, so there is none to take back.',
          'individual.holds_keys': 'The keys that the individual holds must come back first.',
          'individual.<status>':
            'The individual cannot take this step from that `status`; an anonymised one can never be changed.',
          'credential.found_first': 'A lost or stolen credential has to be reported found before it is used again.',
          'credential.suspend_first':
            'A damaged, returned or revoked credential has to be suspended (`status_reason` forgotten, inactivity or ' +
            'locked_out) before it is used again.',
          'credential.not_lost': 'Only a lost or stolen credential can be found.',
          'grant.begun': 'The beginning of a grant that has begun cannot be moved.',
          'visit.<status>':
            'The visit is past that: planned, arrived, left, cancelled or expired, each allows its own next step.',
          'visit.code_lost': 'The QR code was made with a key that is lost; invite the visitor anew.',
          'visit.no_code': 'The visit has no QR code, or none any more, or is over.',
          'sync.asks_nothing': 'Nothing waits for a confirmation: its sync says what is under way.',
          'command.no_system': 'The door is opened by keys alone: no system drives it.',
          'command.not_connected':
            'The system of the door is kept by hand: nothing is connected that could carry it out.',
          'command.disabled': 'The system of the door is disabled. Enable it first.',
          'simulator.other_kind': 'Only a system of kind simulator can be played with.',
          'simulator.<code>': 'The virtual controller cannot do that as it stands: the sentence says why.',
          'access_request.<status>': 'The request was decided or withdrawn already. Make a new one.',
          'access_request.own': 'You asked for it yourself. Somebody else who may give access there has to approve it.',
          'access_request.others':
            'Somebody else asked for it: they change or withdraw it. Whoever may give access there approves or ' +
            'denies it.',
          'access_request.over': 'The window that was asked for has ended. Deny the request; it can be asked for anew.',
          'access_review.<status>':
            'The review is a draft, running, closed or cancelled, and that cannot be done then. The sentence says ' +
            'what can.',
          'access_review_line.<decision>':
            'The line was decided already: what was revoked stays so, and only what was confirmed is decided again.',
          'access_review.undecided': 'Some lines are neither confirmed nor revoked. Decide them, or cancel the review.',
          'access_review.too_large': 'There is too much to go through in one review. Make one for each building.',
          'lockdown.<status>': 'It is over already: released, or ended by itself. Start a new one.',
          'grant.kept': 'The grant is history, and history is not deleted.',
          'grant.<status>': 'The grant is over already, and cannot be changed or revoked any more.',
        },
      },
      {
        title: 'Roles and tokens',
        reasons: {
          'role.built_in':
            'A role that came with the service can be neither changed nor deleted. Create one of your own.',
          'role_assignment.last_owner':
            'The organization would be left without an active Owner. Make somebody else Owner first.',
          'token.ended': 'The token is revoked or expired already.',
          'oauth_application.public': 'A public OAuth application has no secret.',
          'oauth_interaction.answered': 'Somebody’s consent was given or refused already. Go back to the application.',
        },
      },
      {
        title: 'Users',
        reasons: {
          'user.not_invited': 'The user has accepted already, or is suspended; only an invitation can be repeated.',
          'user.not_suspended': 'Only a suspended user can be reactivated.',
          'user.<status>': 'The user cannot take this step from that `status`.',
          'mfa.enrolled': 'There is a second factor already. Disable it first.',
          'mfa.not_begun': 'There is no second factor that waits to be confirmed.',
          'mfa.not_enrolled': 'There is no second factor.',
          'user.last_way_in': 'It is the only way to log in that is left. Add another first, such as a password.',
          'passkey.no_host_name':
            'Browsers take passkeys for a host name only; the service is reached by an address of digits (`BASE_URL`).',
          'mail.not_configured': 'The service sends no letters (`SMTP_URL`). Ask an administrator for a link.',
        },
      },
    ],
  },

  RESOURCE_IN_USE: {
    title: 'Something else still needs it',
    statuses: [409],
    retry: 'fix',
    meaning: [
      'The item cannot be deleted, because other items point to it. Nothing is deleted along with something else: ' +
        'that would be an easy way to lose doors.',
    ],
    steps: [
      'Read `msg` and `error.details`: they name what uses the item, and how many of each. A detail’s `path` is the ' +
        'list and the field to filter it by: `cylinders.locking_system_id`.',
      'Move or delete those first, then delete the item.',
      'If the item is only out of use, consider a status such as `retired` instead of deleting it.',
    ],
    examples: [
      {
        title: 'Deleting a locking system that has cylinders',
        status: 409,
        request: { method: 'DELETE', path: `/api/v1/locking-system/${lockingSystemId}`, headers: authorization },
        msg:
          'This locking system is used by 48 cylinders (locking_system_id) and 12 key types (locking_system_id); ' +
          'delete or move those first',
        reason: 'in_use',
        details: [
          { path: 'cylinders.locking_system_id', rule: 'in_use', message: '48 cylinders (locking_system_id)' },
          { path: 'key-types.locking_system_id', rule: 'in_use', message: '12 key types (locking_system_id)' },
        ],
      },
    ],
    reasons: [{ title: 'What stands in the way', reasons: { in_use: 'Other items refer to this one.' } }],
  },

  IDEMPOTENCY_IN_PROGRESS: {
    title: 'The first request with this key is still running',
    statuses: [409],
    retry: 'wait',
    meaning: [
      'A request with the same `Idempotency-Key` has arrived before and has not finished. This one was not carried ' +
        'out.',
    ],
    steps: [
      'Wait a moment and send the same request with the same key again: it then gets the answer of the first.',
      'Do not change the key. A new key would carry out the request a second time.',
    ],
    examples: [
      {
        title: 'A retry that overtakes the first try',
        status: 409,
        request: {
          method: 'POST',
          path: `/api/v1/access-points/${accessPointId}/unlock`,
          headers: { ...authorization, 'Idempotency-Key': '7d1c2f0e-unlock' },
        },
        headers: { 'Retry-After': '1' },
        msg: 'A request with this Idempotency-Key is still running',
      },
    ],
  },

  VERSION_CONFLICT: {
    title: 'It has changed since you read it',
    statuses: [412],
    retry: 'check',
    meaning: [
      'The `If-Match` header carries an ETag that is no longer the item’s. Someone else has changed the item in the ' +
        'meantime, and your change would have overwritten theirs. Nothing was changed.',
    ],
    steps: [
      'Read the item again. Its new `ETag` comes with it.',
      'See whether your change still makes sense, and apply it to the new state.',
      'Send it again with the new ETag in `If-Match`.',
    ],
    examples: [
      {
        title: 'An outdated ETag',
        status: 412,
        request: {
          method: 'PATCH',
          path: `/api/v1/spaces/${spaceId}`,
          headers: { ...json, 'If-Match': '"3"' },
          body: { name: 'Server room' },
        },
        msg: 'The item was changed meanwhile: read it again, then repeat the change',
      },
    ],
  },

  PAYLOAD_TOO_LARGE: {
    title: 'The body is too large',
    statuses: [413],
    retry: 'fix',
    meaning: [
      'The body is larger than this operation takes: 1 MiB, and 64 KiB where no credential is asked for. Imports are ' +
        'read as a stream and may be larger.',
    ],
    steps: [
      'Split the data over several requests. Access events, for example, are taken in batches of up to 1,000.',
      'For many items at once, use the import operations.',
    ],
    examples: [
      {
        title: 'A batch that is too large',
        status: 413,
        request: { method: 'POST', path: '/api/v1/access-events', headers: json, body: '@events.json' },
        msg: 'The body is larger than this operation takes: 1 MiB, and 64 KiB where no credential is asked for',
      },
    ],
  },

  URI_TOO_LONG: {
    title: 'The address is too long',
    statuses: [414],
    retry: 'fix',
    meaning: [
      'The path with its query string is longer than 12 KiB, or one part of the path is longer than any identifier.',
    ],
    steps: [
      'Ask for fewer ids at a time: a list takes at most 100 values in `in.(…)`.',
      'Filter by something the items share, such as their building, in place of naming each of them.',
    ],
    examples: [
      {
        title: 'Too many ids in one address',
        status: 414,
        request: { method: 'GET', path: `/api/v1/access-points?id=in.(${accessPointId},…)`, headers: authorization },
        msg: 'The address is longer than 12288 characters',
      },
    ],
  },

  UNSUPPORTED_MEDIA_TYPE: {
    title: 'The body is of a kind that is not taken here',
    statuses: [415],
    retry: 'fix',
    meaning: ['The `Content-Type` header is missing or names a type that this operation does not read.'],
    steps: [
      'Send JSON with `Content-Type: application/json`. `PATCH` takes `application/merge-patch+json` too.',
      'With curl, `-d` alone sends a form: add `-H "Content-Type: application/json"`.',
    ],
    examples: [
      {
        title: 'A form where JSON is expected',
        status: 415,
        request: {
          method: 'POST',
          path: '/api/v1/locations',
          headers: { ...authorization, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: 'name=Headquarters',
        },
        msg: 'Send the body as application/json',
      },
    ],
  },

  IDEMPOTENCY_KEY_REUSED: {
    title: 'This key belongs to another request',
    statuses: [422],
    retry: 'fix',
    meaning: [
      'The `Idempotency-Key` was used within the last 24 hours for a request with another path or another body. This ' +
        'request was not carried out.',
    ],
    steps: [
      'Make a new key for each new request. A random UUID is good.',
      'Keep the key only for repeating the very same request.',
    ],
    examples: [
      {
        title: 'The same key with another body',
        status: 422,
        request: {
          method: 'POST',
          path: '/api/v1/locations',
          headers: { ...json, 'Idempotency-Key': '7d1c2f0e-create' },
          body: { name: 'Warehouse' },
        },
        msg: 'This Idempotency-Key was used with another request; use a new key for a new request',
      },
    ],
  },

  RATE_LIMITED: {
    title: 'Too many requests',
    statuses: [429],
    retry: 'wait',
    meaning: [
      'More requests came than are allowed in this span of time. Failed authentications are limited for each ' +
        'address. Requests with a good credential are limited only if the operator of this service has set a limit.',
    ],
    steps: [
      'Wait for as many seconds as `Retry-After` says, then send the request again.',
      'Watch the `RateLimit` header, and slow down before the limit is reached.',
      'If you get this without many requests of your own, look for a program on your network that keeps trying a ' +
        'wrong token. A good token is never refused because of another’s failures.',
    ],
    examples: [
      {
        title: 'One wrong token after another',
        status: 429,
        request: { method: 'GET', path: '/api/v1/spaces', headers: authorization },
        headers: {
          'Retry-After': '30',
          'RateLimit-Policy': '"failed-authentications";q=30;w=60',
          RateLimit: '"failed-authentications";r=0;t=30',
        },
        msg: 'Too many failed authentications from this address; try again in 30 s',
        reason: 'failed_authentications',
      },
    ],
    reasons: [
      {
        title: 'Which limit',
        reasons: {
          failed_authentications: 'Too many wrong or missing credentials from one address within a minute.',
          failed_logins:
            'Too many failed logins of one account or from one network. Each further attempt has to wait, for up to ' +
            'a minute.',
          too_many_streams: 'As many streams are open with this credential as may be at once. Close one of them first.',
          wrong_pins:
            'Too many wrong PINs were asked about, or too many set that cannot be used. Wait as long as ' +
            '`Retry-After` says; the right one is not told until then either.',
          requests:
            'More requests by one credential in a minute than this installation allows (RATE_LIMIT_PER_MINUTE).',
        },
      },
    ],
  },

  HEADERS_TOO_LARGE: {
    title: 'The headers are too large',
    statuses: [431],
    retry: 'fix',
    meaning: ['The header lines of the request are larger together than 32 KiB.'],
    steps: [
      'Look for a header that grows: cookies of another service on the same host are the usual cause.',
      'Check that the token in `Authorization` is one token, and not a file’s whole content.',
    ],
    examples: [
      {
        title: 'A very large cookie',
        status: 431,
        request: { method: 'GET', path: '/api/v1/spaces', headers: { ...authorization, Cookie: 'other=…' } },
        headers: { Connection: 'close' },
        msg: 'The headers are larger than 32 KiB',
      },
    ],
  },

  INTERNAL: {
    title: 'Something went wrong on our side',
    statuses: [500],
    retry: 'check',
    meaning: [
      'The service met a fault that it did not foresee. This is never the caller’s mistake. What went wrong is in ' +
        'the service’s log under the same `req_id`, and not in the answer.',
    ],
    steps: [
      'If the request changed something, look first whether the change is there. With an `Idempotency-Key` you can ' +
        'send it again safely.',
      'Give `error.req_id` to whoever runs this service: it finds the entry in the log.',
      'If it is a fault of the software, please report it, with the steps that lead to it.',
    ],
    examples: [
      {
        title: 'An unforeseen fault',
        status: 500,
        request: { method: 'GET', path: '/api/v1/spaces', headers: authorization },
        msg: 'Something went wrong on our side; the log has the details under this req_id',
      },
    ],
  },

  SYSTEM_UNREACHABLE: {
    title: 'The system behind it cannot be reached',
    statuses: [502],
    retry: 'wait',
    meaning: [
      'This service is well, but what it had to ask (an access control system, a provider of single sign-on) could ' +
        'not be reached, refused the connection or gave an answer that makes no sense. The door has most likely not ' +
        'moved.',
    ],
    steps: [
      'Look at the state of the access control system: `status`, `last_seen_at` and `errors` say what is known.',
      'Check its power, network and address.',
      'Look at the command and the events of the access point before you repeat an unlock.',
    ],
    examples: [
      {
        title: 'A controller that is switched off',
        status: 502,
        request: { method: 'POST', path: `/api/v1/access-points/${accessPointId}/unlock`, headers: authorization },
        msg: 'The access control system of this access point cannot be reached',
        reason: 'outgoing.failed',
      },
    ],
    reasons: [
      {
        title: 'What stood in the way',
        reasons: {
          'outgoing.failed':
            'There is no connection to it, or it broke off. Check its power, network, address and certificate.',
          'outgoing.refused':
            'Its address is one that this service does not call: not public, or not by HTTPS. Whoever runs the ' +
            'service can permit it (`OUTGOING_ALLOW`).',
          'outgoing.too_large': 'Its answer is larger than is read. It is probably not the system it should be.',
          'sign_on.unreachable':
            'The provider of single sign-on does not answer as one should. Check its address in the configuration.',
        },
      },
    ],
  },

  SERVICE_UNAVAILABLE: {
    title: 'The service is not ready',
    statuses: [503],
    retry: 'wait',
    meaning: [
      'The service cannot answer just now: it is starting or stopping, its database is away, its disk is full, or ' +
        'the keys of the issuer of a JWT cannot be fetched. Nothing that was acknowledged before is lost. This ' +
        'request was not carried out.',
    ],
    steps: [
      'Wait for as many seconds as `Retry-After` says, then send the request again, with growing pauses.',
      'Look at `/readyz`: it says when the service is ready.',
      'If you run the service, look at the database and the free space on its disk.',
    ],
    examples: [
      {
        title: 'The database is restarting',
        status: 503,
        request: { method: 'GET', path: '/api/v1/spaces', headers: authorization },
        headers: { 'Retry-After': '1' },
        msg: 'The database is not available right now; try again shortly',
        reason: 'database_away',
      },
    ],
    reasons: [
      {
        title: 'What stood in the way, where it is known',
        reasons: {
          database_away:
            'The database does not answer: it is starting or stopping, its disk is full, or the way to it is broken.',
          storage_full:
            'The disk that holds the database is full. Nothing is lost; it heals by itself once there is space.',
          storage_not_writable: 'The folder of the database cannot be written. It heals by itself once it can.',
          storage_gone:
            'The database file was removed or replaced under the running service. Stop it, put the file back or ' +
            'restore a backup (`gatehouse restore`), start it.',
          storage_damaged:
            'The database file is damaged. Stop the service, restore a backup (`gatehouse restore`), start it.',
          issuer_unreachable: 'The keys of the issuer of a JWT cannot be fetched.',
          too_slow:
            'It took longer than a request may take and was given up. Ask for less at once: fewer words, filters or ' +
            'items.',
          locked: 'Another change, or the operator’s work on the database, holds what this one needs.',
          too_many_events:
            'Events come in faster than they are stored. None of these was stored; send them again, with the same ' +
            '`source_id`.',
          too_many_logins:
            'Too many people log in at this moment, and passwords are looked at a few at a time. Try again in a ' +
            'second.',
          too_many_writers: 'Too many changes of your organization are waiting already. Send them one after the other.',
          too_many_readers:
            'Too many searches, counts and other long readings are waiting already. Send them one after the other.',
          unconfirmed:
            'The change was handed over and the database did not say in time whether it is kept. Look before you ' +
            'send it again, or send it again with the same `Idempotency-Key`.',
        },
      },
    ],
  },

  SYSTEM_TIMEOUT: {
    title: 'The access control system did not answer in time',
    statuses: [504],
    retry: 'check',
    meaning: [
      'The access control system was reached, but gave no answer in time. Whether it has done what it was asked is ' +
        'not known.',
    ],
    steps: [
      'Look at the state and the events of the access point: they tell whether the door has moved.',
      'Only then send the command again.',
      'If it happens often, check the network between this service and the system.',
    ],
    examples: [
      {
        title: 'A controller that stays silent',
        status: 504,
        request: { method: 'POST', path: `/api/v1/access-points/${accessPointId}/unlock`, headers: authorization },
        msg: 'The access control system did not answer in time',
      },
    ],
  },
}
