/** What a reader of the reference should know before the first operation, in Markdown. */
export const introduction = (
  baseUrl: string,
): string => `Gatehouse keeps an estate's locations, buildings, spaces and access points, its locking systems with
their keys, its access control systems, and the people who use them. It answers who may open which door, when and why.
This is its whole interface: JSON over HTTP.

## Authentication

Every operation that does not say otherwise needs a credential in the header \`Authorization\`. A personal access
token goes with the scheme \`Token\`:

\`\`\`sh
curl '${baseUrl}/api/v1/locations' \\
  -H "Authorization: Token $TOKEN"
\`\`\`

On the machine that runs the service, this makes a token and prints it, once:

\`\`\`sh
npm run -s gatehouse -- token create --organization NAME --role ROLE
\`\`\`

A credential belongs to one organization, and everything you read or write is in it. The roles behind the credential
decide what it may do: each operation names the permission it needs, such as \`locations:read\`. A role can be limited
to a location or a building; what lies outside is not listed, and asking for it gives 404.

A missing or invalid credential is answered with 401, a missing permission with 403, both with the code
\`UNAUTHORIZED\`.

## Answers

Every answer is a JSON object with \`msg\`, a short sentence for people. What was asked for is in \`data\`; a list has
\`meta\` beside it. Only an export is a file instead, and says so; its errors are JSON too.

\`\`\`json
{
  "msg": "Retrieved location",
  "data": { "id": "01997d2a-4c00-7000-8000-000000000001", "name": "Zürich" }
}
\`\`\`

- Names are in \`snake_case\`, ids are UUIDs, timestamps are RFC 3339 in UTC with milliseconds.
- Creating answers 201 with the item and its path in \`Location\`. Deleting answers 200 with the item as it was.
- \`PATCH\` is a JSON Merge Patch (RFC 7396): fields that are given are set, \`null\` clears, all others stay.
- Unknown and read-only fields in a body are refused, and types are not converted: \`"5"\` is not \`5\`.
- \`external_id\` is yours: the key of the same thing in your own system, unique for its kind.
- Each answer carries \`X-Request-Id\`. Name it when you report a problem.

## Lists

Lists come in pages. All of them take \`page\` (from 1) and \`limit\` (1 to 100, 10 if you do not say). When there is
more than one page, the \`Link\` header has the addresses of the first, previous, next and last.

Most lists also take \`order\`, \`select\`, \`search\` and a filter on each of their fields. Each operation says what
it takes; anything else is refused, since an ignored filter would widen the answer.

| Parameter | Example | Meaning |
|---|---|---|
| \`order\` | \`order=name.desc,created_at\` | By name, descending, then by creation date. |
| \`select\` | \`select=id,name\` | Only these fields. |
| \`search\` | \`search=main build\` | Every word occurs somewhere, whatever case and accents. |
| a field | \`status=eq.active\` | A filter: an operator, a dot and a value. |

Nulls come last, whatever the direction, unless \`.nullsfirst\` is added. A search has at most 10 different words.

A filter compares the field and nothing else: \`building_id=eq.…\` leaves out the building’s wings.
\`within_building=<id>\` and \`within_location=<id>\`, on every list of what lies somewhere, take in all that is
below.

Several filters must all hold, also two on the same field: \`created_at=gte.2026-01-01&created_at=lt.2027-01-01\`.

| Operator | For | Example |
|---|---|---|
| \`eq\` \`neq\` | every type | \`name=eq.Main building\` |
| \`gt\` \`gte\` \`lt\` \`lte\` | texts, numbers, dates, timestamps | \`floor=gte.2\` |
| \`like\` \`ilike\` | texts; \`*\` is any text, \`ilike\` ignores case; up to 5 | \`name=ilike.*server*\` |
| \`in\` | every type; up to 100 values | \`kind=in.(door,gate)\` |
| \`is\` | \`null\`, \`not_null\`; for booleans \`true\`, \`false\` | \`parent_id=is.null\` |
| \`not.\` | turns any of them around | \`status=not.in.(retired,planned)\` |

- Null matches no comparison, not even \`neq\`: ask for it with \`is.null\`.
- A field with a fixed set of values is compared with those alone: a misspelt one after \`eq\`, \`neq\` or \`in\` is
  refused, and the answer lists them.
- A value in \`in.(…)\` that holds a comma or a parenthesis goes in double quotes.
- A timestamp is RFC 3339, or a date, which means midnight UTC. Write a plus sign as \`%2B\`.

\`\`\`sh
curl '${baseUrl}/api/v1/access-points?kind=in.(door,gate)&order=name&select=id,name' \\
  -H "Authorization: Token $TOKEN"
\`\`\`

\`meta\` repeats what was applied, defaults included, so that you can see how the service understood you. To a role
that is limited to places it says so (\`limited_to\`): there may be more elsewhere, and of what belongs elsewhere and
has to do with those places some fields only are there. A file says so by the header \`Limited-To\` and by its name.
A search looks through what you may read alone, and names the permissions that you lack for more
(\`missing_permissions\`).
Two lists have shapes of their own: \`/api/v1/spaces\` and \`/v1/core/locking-system\`.

## Errors

An error has a status, \`msg\` for people, and \`error\` for programs:

\`\`\`json
{
  "msg": "name is required",
  "error": {
    "code": "VALIDATION_ERROR",
    "docs": "${baseUrl}/docs/api/errors/VALIDATION_ERROR",
    "req_id": "req_482015937264",
    "reason": "body.required",
    "details": [{ "path": "name", "rule": "body.required", "message": "name is required" }]
  }
}
\`\`\`

Decide by \`code\`, and by \`reason\` where you need to be exact; \`msg\` may be reworded. [Every code has a
page](/docs/api/errors) that says what it means and what to do.

## Repeating safely

Send an \`Idempotency-Key\` of your own making, such as a random UUID, with a \`POST\`. If the answer is lost, send
the same request with the same key again: it is carried out once, and within 24 hours answered the same. The same key
with another request is refused with 422; while the first is still running, the second gets 409.

## Changing what others change too

An item comes with an \`ETag\`. Send it back as \`If-Match\` when you change or delete the item: if someone else was
faster, nothing is done and you get 412. Send it as \`If-None-Match\` when you read the item again: if it is still the
same, you get 304 without a body.

## Reading what you have just written

Where the service runs in several processes, another one may hear of your change a few milliseconds later. The answer
to a change carries \`Data-Version\`: send it back in the same header, and the request is answered from that state of
the data or a later one.

## Limits

- Bodies up to 1 MiB (64 KiB where no credential is asked for), query strings up to 8 KiB.
- Lists: up to 100 items on a page, 10 terms in \`order\`, 10 different words in \`search\`, 20 filters, of which 5
  are \`like\` or \`ilike\`, each of at most 200 characters and 10 wildcards.
- More than 30 failed authentications in a minute from one address are answered with 429. A good credential is not
  affected.
- An operator may set further limits; then 429 comes with \`Retry-After\`.

## Versions

The version is in the path: \`/api/v1\`. Within a version the interface only grows: new operations, new fields in
answers, new optional parameters. Write your programs so that they overlook fields they do not know. What is on its
way out says so in the headers \`Deprecation\` and \`Sunset\` well before it goes.

This page is made from [the OpenAPI document](/api/v1/openapi.json), from which you can generate a client.
`
