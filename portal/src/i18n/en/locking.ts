/** Locking systems, cylinders, key types, keys. */
export const locking = {}
