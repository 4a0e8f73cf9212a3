import SCIMMY from 'scimmy'
import { ENTERPRISE, GROUP, type Json, USER } from './messages.ts'

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** What the service can do by SCIM; undefined: it is not asked about that. */
export function about(base: string, kind: string, id: string | undefined): Json | undefined {
  if (kind === 'ServiceProviderConfig' && id === undefined) return config(base)
  if (kind === 'ResourceTypes') return among(resourceTypes(base), id)
  return kind === 'Schemas' ? among(schemas(base), id) : undefined
}

function among(all: Json[], id: string | undefined): Json | undefined {
  if (id !== undefined) return all.find((one) => one.id === id)
  return { schemas: [LIST], totalResults: all.length, startIndex: 1, itemsPerPage: all.length, Resources: all }
}

const config = (base: string): Json => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A personal access token with the permission scim:write.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const resourceTypes = (base: string): Json[] =>
  [
    { id: 'User', endpoint: '/Users', schema: USER, schemaExtensions: [{ schema: ENTERPRISE, required: false }] },
    { id: 'Group', endpoint: '/Groups', schema: GROUP },
  ].map((type) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    name: type.id,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.id}` },
  }))

const schemas = (base: string): Json[] =>
  [SCIMMY.Schemas.User, SCIMMY.Schemas.Group, SCIMMY.Schemas.EnterpriseUser].map(
    ({ definition }) => JSON.parse(JSON.stringify(definition.describe(`${base}/Schemas`))) as Json,
  )
