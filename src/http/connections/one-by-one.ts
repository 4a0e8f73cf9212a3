import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { whichTurn } from '../../core/loop-turn.ts'

/**
 * So many requests may be sent ahead on one connection. Who sends more gets these answered, and comes again for the
 * rest.
 */
export const MOST_AHEAD = 16
/** Tells Node's parser to read no further in what has come in: it takes what follows for another protocol. */
const READ_NO_FURTHER = 2

/** What Node's parser calls with the head of each request. */
interface Parser {
  onIncoming(request: IncomingMessage & { upgrade?: boolean | null }, keepAlive: boolean): number
  /** The request that is told of its body and its end. */
  incoming: IncomingMessage | null
}

/** A whole answer, head and all, a byte a character; undefined: the request takes the usual way. */
export type AtOnce = (request: IncomingMessage) => string | undefined

/** The requests of one connection. */
class Line {
  isFull = false
  unanswered = 0
  latest: IncomingMessage | undefined
  /** A last word, behind the answers that are owed. */
  lastWord: (() => void) | undefined
  private readonly socket: Socket
  private readonly waiting: Array<() => void> = []
  /** How many there are in this turn, answered or not: Node may send an answer before it has read on. */
  private taken = 0
  private turn = -1
  /** From its first answer on, Node knows how long the connection may be idle. */
  private hasAnswered = false

  constructor(socket: Socket) {
    this.socket = socket
  }

  take(request: IncomingMessage): void {
    const turn = whichTurn()
    if (this.turn !== turn) this.taken = this.unanswered
    this.turn = turn
    this.taken += 1
    this.unanswered += 1
    this.latest = request
    this.isFull = this.taken === MOST_AHEAD
  }

  /** Whether the latest is all there is to answer, and its answer can be sent as it stands. */
  get isFree(): boolean {
    const { writable, writableLength } = this.socket
    return this.hasAnswered && this.taken === 1 && this.unanswered === 1 && writable && writableLength === 0
  }

  send(answer: string): void {
    this.unanswered -= 1
    this.socket.write(answer, 'latin1')
  }

  handle(work: () => void): void {
    if (this.taken === 1) {
      work()
      return
    }
    this.waiting.push(work)
    if (this.unanswered === 1) this.goOn()
  }

  answered(): void {
    this.hasAnswered = true
    this.unanswered -= 1
    if (this.waiting.length > 0) this.goOn()
    else if (this.unanswered === 0) this.lastWord?.()
  }

  private goOn(): void {
    setImmediate(() => this.socket.destroyed || this.waiting.shift()?.())
  }
}

const lines = new WeakMap<object, Line>()

let taken = 0
/** How many requests this process has taken, whichever way they were answered. */
export const requestsTaken = (): number => taken

/**
 * Requests of one connection are answered one by one, each in a turn of the loop of its own. Node reads 64 KB at once
 * and hands over all that it finds there, thousands of requests: by 100 connections at once, everybody else would wait
 * for seconds.
 *
 * What is known `atOnce` is sent before Node has made a response, which is half of what such an answer takes: it counts
 * and times them for several on a connection, and this one is alone.
 */
export function answerOneByOne(server: Server, atOnce: AtOnce): void {
  server.on('connection', (socket: Socket & { parser?: Parser }) => {
    const { parser } = socket
    if (!parser) return
    const line = new Line(socket)
    lines.set(socket, line)
    const onIncoming = parser.onIncoming
    parser.onIncoming = (request, keepAlive) => {
      if (line.isFull) return READ_NO_FURTHER
      taken += 1
      line.take(request)
      const answer = keepAlive && !request.upgrade && line.isFree ? atOnce(request) : undefined
      if (answer === undefined) return onIncoming(request, keepAlive && !line.isFull)
      // Nobody listens for its end.
      parser.incoming = null
      line.send(answer)
      return 0
    }
  })
}

/** At once, or when those before it on its connection are answered. */
export function inItsTurn({ socket }: IncomingMessage, work: () => void): void {
  const line = lines.get(socket)
  if (line) line.handle(work)
  else work()
}

/** One of the connection's requests was answered. */
export const answered = (socket: Socket): void => lines.get(socket)?.answered()

/**
 * What came behind whole requests cannot be read: that is told behind their answers. Behind too many it is not told: it
 * was not read.
 */
export function behindAnswers(socket: object, tell: () => void): void {
  const line = lines.get(socket)
  if (!line?.unanswered || !line.latest?.complete) tell()
  else if (!line.isFull) line.lastWord = tell
}
