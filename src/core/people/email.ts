/** How two e-mail addresses are told apart: case does not matter, nor how an accented letter is encoded. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()
