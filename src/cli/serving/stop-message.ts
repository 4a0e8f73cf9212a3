/** What the process that started the workers tells them when it is over. */
export const STOP = 'stop'
