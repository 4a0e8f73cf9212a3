import { words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** People must get out, whatever else is the case. */
export const evacuation: Rule = ({ mode, evacuation: ordered }) =>
  mode === 'evacuation'
    ? {
        reason: 'evacuation',
        opens: true,
        say: words(
          () => `An evacuation is under way (${ordered?.name}): the door is open to everybody.`,
          () => `Eine Evakuierung läuft (${ordered?.name}): Die Tür ist für alle offen.`,
        ),
      }
    : undefined
