/** A file of the portal that does not come: an update has taken it away, or nobody answers. */
export class MissingFile extends Error {}

/**
 * The router would load the page anew when a file does not come, and with nobody there to answer, show the browser's
 * own error.
 */
export const orMissing =
  <T>(load: () => Promise<T>) =>
  (): Promise<T> =>
    load().catch(() => {
      throw new MissingFile('a file of the portal is missing')
    })
