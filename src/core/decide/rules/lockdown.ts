import { words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** A lockdown keeps everybody out but those whose grant says that it holds nevertheless. */
export const lockdown: Rule = ({ lockdown: ordered, rights }) =>
  ordered && !rights.allow?.during_lockdown
    ? {
        reason: 'locked_down',
        say: words(
          () => `A lockdown is in force (${ordered.name}), and no grant here holds during one.`,
          () => `Ein Alarmverschluss gilt (${ordered.name}), und keine Berechtigung hier gilt währenddessen.`,
        ),
      }
    : undefined
