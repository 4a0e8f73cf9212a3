/** An image that is not taken; the message says why, to whoever sent it. */
export class Refused extends Error {}
