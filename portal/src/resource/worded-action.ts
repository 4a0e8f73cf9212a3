import type { Messages } from '../i18n/messages.ts'
import { inWords } from '../typed.ts'
import type { ActionDef } from './define-view.ts'

type Area = 'estate' | 'locking' | 'people' | 'identity'
type Sayable = string | ((name: string) => string)

/** The words of an area that say something by themselves or about a name. */
type WordOf<A extends Area> = {
  [W in keyof Messages[A] & string]: Messages[A][W] extends Sayable ? W : never
}[keyof Messages[A] & string]
type ActionWord<A extends Area> = { [W in WordOf<A>]: `${W}Title` extends WordOf<A> ? W : never }[WordOf<A>]

/** What is left to say of an action whose words are called after it. */
export type OwnOf<T, A extends Area> = Omit<ActionDef<T>, 'name' | 'label' | 'title' | 'done'> &
  Partial<Pick<ActionDef<T>, 'name' | 'title'>> & { done: WordOf<A> }

/**
 * An action with the words `block`, `blockTitle` and, if there are, `blockText` and `blockButton`; `done` is the word
 * for what was done.
 */
export function wordedAction<T, A extends Area>(area: A, word: ActionWord<A>, own: OwnOf<T, A>): ActionDef<T> {
  const say = (t: Messages, which: string, name = '') => {
    const found = inWords<unknown>(t[area], which)
    return typeof found === 'function' ? String(found(name)) : typeof found === 'string' ? found : undefined
  }
  return {
    name: word,
    label: (t) => say(t, word) ?? '',
    title: (t, name) => say(t, `${word}Title`, name) ?? '',
    text: (t, name) => say(t, `${word}Text`, name),
    confirm: (t) => say(t, `${word}Button`),
    ...own,
    done: (t, name) => say(t, own.done, name) ?? '',
  }
}
