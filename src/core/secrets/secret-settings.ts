import { invalid } from '../errors.ts'

type Json = Record<string, unknown>

/** What an answer shows in place of a secret; sent back as it is, it leaves the secret as it was. */
export const MASK = '•••'

/** A setting is a secret when its name says so. */
export const isSecretName = (name: string): boolean =>
  /secret|password|passphrase|token|credential|private|key$/i.test(name)

/** The values behind the masks, by their path in the settings. */
export type Secrets = Record<string, unknown>

/**
 * Takes the secrets out of settings: what is shown has a mask in their place, what is kept has their values by path. A
 * mask stands for the value already kept; a secret whose place is gone from the settings is gone too.
 */
export function splitSecrets(settings: Json, kept: Secrets): { shown: Json; secrets: Secrets } {
  const secrets: Secrets = {}
  return { shown: hideIn(settings, 'settings', kept, secrets), secrets }
}

function hideIn(value: Json, path: string, kept: Secrets, secrets: Secrets): Json {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, hide(name, item, `${path}.${name}`, kept, secrets)]),
  )
}

function hide(name: string, item: unknown, path: string, kept: Secrets, secrets: Secrets): unknown {
  if (isSecretName(name) && item !== null) {
    if (item === MASK && !Object.hasOwn(kept, path))
      throw invalid(path, 'settings.mask', `${path}: "${MASK}" stands for a secret that is kept already, and none is`)
    secrets[path] = item === MASK ? kept[path] : item
    return MASK
  }
  if (Array.isArray(item)) return refuseSecretsIn(item, path)
  return isObject(item) ? hideIn(item, path, kept, secrets) : item
}

/** In a list a secret has no place of its own that would stay the same when the list changes. */
function refuseSecretsIn(list: unknown[], path: string): unknown[] {
  const walk = (item: unknown): void => {
    if (Array.isArray(item)) item.forEach(walk)
    else if (isObject(item))
      for (const [name, inner] of Object.entries(item)) {
        if (isSecretName(name))
          throw invalid(
            path,
            'settings.secret_in_list',
            `${path}: "${name}" is a secret, and a list cannot hold secrets`,
          )
        walk(inner)
      }
  }
  walk(list)
  return list
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
