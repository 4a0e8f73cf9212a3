import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { answered } from './one-by-one.ts'

// By its name it would be looked at whole, and Node would load its own fetch with it: a twentieth of the start.
const { ServerResponse } = process.getBuiltinModule('node:http')

/** From here on, what waits to be taken counts; so much Node lets wait of what is sent a piece at a time. */
const LARGE = 64 * 1024
/** Node looks whether anything was taken every so often, and ends the connection if not: after one to two of these. */
const TAKEN_MS = 7000

/**
 * An answer that somebody has to take. Who asks for much and takes nothing is cut off sooner than a connection on which
 * nothing happens; who takes it slowly is not.
 */
export class TakenResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /**
   * What is sent a piece at a time waits for the reader; what we wait for, the next piece, may take as long as it did
   * before.
   */
  override write(...args: unknown[]): boolean {
    const goesOn = super.write(...(args as Parameters<InstanceType<typeof ServerResponse>['write']>))
    const { socket } = this
    const before = socket?.timeout ?? 0
    if (goesOn || !socket || before === TAKEN_MS) return goesOn
    socket.setTimeout(TAKEN_MS)
    // Before whoever sends hears of it, who at once writes the next piece.
    this.prependOnceListener('drain', () => socket.setTimeout(before))
    return goesOn
  }

  override end(...args: unknown[]): this {
    super.end(...(args as Parameters<InstanceType<typeof ServerResponse>['end']>))
    expectTaking(this.socket)
    return this
  }

  /** Of several requests on one connection, the later ones are answered before they may be sent. */
  override assignSocket(socket: Socket): void {
    super.assignSocket(socket)
    expectTaking(socket)
  }

  override detachSocket(socket: Socket): void {
    super.detachSocket(socket)
    answered(socket)
  }
}

function expectTaking(socket: Socket | null): void {
  if (socket && socket.writableLength >= LARGE) socket.setTimeout(TAKEN_MS)
}
