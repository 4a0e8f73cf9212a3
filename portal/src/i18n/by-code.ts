/** Words by a code of the service, which may come to know more codes than there are words for. */
export const byCode = <T = string>(words: Readonly<Record<string, T>>): Readonly<Record<string, T>> => words
