import { credentialName, words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** A credential made for one system is unknown to the readers of another. */
export const rightSystem: Rule = ({ credential, facts: { door } }) => {
  if (!credential || credential.access_control_system_id === null || door.access_control_system_id === null)
    return undefined
  if (credential.access_control_system_id === door.access_control_system_id) return undefined
  return {
    reason: 'wrong_system',
    say: words(
      () =>
        `${credentialName('en', credential)} was made for another access control system than the one that ` +
        `drives ${door.name}.`,
      () =>
        `${credentialName('de', credential)} gehört zu einem anderen Zutrittssystem als dem, das ${door.name} ` +
        'steuert.',
    ),
  }
}
