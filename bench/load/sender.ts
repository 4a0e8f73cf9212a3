import { connect, type Socket } from 'node:net'

// Who writes beside those who read has the same cores. Node's own client takes as long to ask as the service to answer:
// what is measured would be the client. This one writes a request and reads a status, and nothing else.

export interface Sending {
  readonly method: string
  readonly path: string
  readonly body: object
}

interface Waiting {
  readonly text: string
  readonly answer: PromiseWithResolvers<number>
}

const HEAD_END = '\r\n\r\n'

/** Some connections to a server, each with one request under way. */
export class Sender {
  private readonly host: string
  private readonly port: number
  private readonly token: string
  private readonly most: number
  private readonly idle: Connection[] = []
  private readonly waiting: Waiting[] = []
  private readonly open = new Set<Connection>()

  constructor(url: string, token: string, connections: number) {
    const { hostname, port } = new URL(url)
    this.host = hostname
    this.port = Number(port)
    this.token = token
    this.most = connections
  }

  /** The status of its answer. */
  send({ method, path, body }: Sending): Promise<number> {
    const json = JSON.stringify(body)
    const head =
      `${method} ${path} HTTP/1.1\r\nHost: ${this.host}:${this.port}\r\nAuthorization: Token ${this.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}${HEAD_END}`
    const answer = Promise.withResolvers<number>()
    this.waiting.push({ text: head + json, answer })
    this.next()
    return answer.promise
  }

  close(): void {
    for (const connection of this.open) connection.end()
  }

  private next(): void {
    if (this.waiting.length === 0) return
    const connection = this.idle.pop() ?? (this.open.size < this.most ? this.connect() : undefined)
    const next = connection && this.waiting.shift()
    if (next) connection.ask(next)
  }

  private connect(): Connection {
    const connection = new Connection(connect(this.port, this.host), {
      // The one used last goes first: those that are not needed are closed by the server, unasked.
      free: () => {
        this.idle.push(connection)
        this.next()
      },
      gone: (unread) => {
        this.open.delete(connection)
        const at = this.idle.indexOf(connection)
        if (at >= 0) this.idle.splice(at, 1)
        if (unread) this.waiting.unshift(unread)
        this.next()
      },
    })
    this.open.add(connection)
    return connection
  }
}

interface Told {
  free: () => void
  /** `unread`: what it was asked when it had rested, and the server closed it just then without having read it. */
  gone: (unread: Waiting | undefined) => void
}

class Connection {
  private readonly socket: Socket
  private asked: Waiting | undefined
  private received = ''
  private answered = 0

  constructor(socket: Socket, told: Told) {
    this.socket = socket
    let why = 'the connection was closed before the answer'
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (piece: string) => {
      this.received += piece
      const status = this.status()
      if (status === undefined) return
      const { asked } = this
      this.asked = undefined
      this.received = ''
      this.answered += 1
      asked?.answer.resolve(status)
      told.free()
    })
    socket.on('error', (error) => {
      why = String(error)
    })
    socket.on('close', () => {
      const { asked } = this
      this.asked = undefined
      const hasRested = this.answered > 0 && this.received === ''
      if (asked && !hasRested) asked.answer.reject(new Error(why))
      told.gone(hasRested ? asked : undefined)
    })
  }

  ask(asked: Waiting): void {
    this.asked = asked
    this.socket.write(asked.text)
  }

  end(): void {
    this.socket.destroy()
  }

  /** Undefined until all of the answer is there. */
  private status(): number | undefined {
    const end = this.received.indexOf(HEAD_END)
    if (end < 0) return undefined
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(this.received.slice(0, end)) ?? []
    if (length === undefined) throw new Error(`an answer of unknown length: ${this.received.slice(0, end)}`)
    return this.received.length < end + HEAD_END.length + Number(length)
      ? undefined
      : Number(this.received.slice(9, 12))
  }
}
