import type { createConfig } from '@redocly/openapi-core'

/** Redocly's strict set, in which every rule is an error, and what of the optional ones is worth having. */
export const lintRules: Parameters<typeof createConfig>[0] = {
  extends: ['recommended-strict'],
  rules: {
    'component-name-unique': 'error',
    // An item's id is a UUID: `by-external-id` and `batch` are none, and the router takes what is written out first.
    'no-ambiguous-paths': 'off',
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
    'parameter-description': 'error',
    'path-http-verbs-order': 'error',
    'paths-kebab-case': 'error',
    'spec-strict-refs': 'error',
  },
}
