/** The palette is loaded after the page; what wants to open it before that opens it then. */
let listener: (() => void) | undefined

export const openPalette = (): void => listener?.()

export function onOpenPalette(open: () => void): () => void {
  listener = open
  return () => {
    listener = undefined
  }
}
