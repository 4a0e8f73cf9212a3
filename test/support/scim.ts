import type { TestHouse } from './app.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An identity provider: it calls with the scheme Bearer, in its own media type, and reads bodies of RFC 7644. */
export function scimClient({ app }: Pick<TestHouse, 'app'>, token: string) {
  const send = async (method: Method, path: string, body?: object, more: Record<string, string> = {}) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/scim+json' } : {}),
      ...more,
    }
    const answer = await app.inject({
      method,
      url: `/scim/v2${path}`,
      headers,
      ...(body ? { payload: JSON.stringify(body) } : {}),
    })
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json(), headers: answer.headers }
  }
  const patch = (path: string, ...Operations: object[]) =>
    send('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
  return { send, patch }
}
