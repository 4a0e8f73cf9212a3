/** Individuals, credentials, groups, grants. */
export const people = {}
