import { createServer, type Server } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { atEnd } from '../at-end.ts'
import { freePort } from '../free-port.ts'

export interface ReceivedMail {
  to: string
  from: string
  /** Headers and all, decoded. */
  text: string
  link: string | undefined
}

/** How it takes letters: all, none of this recipient for good (550), or not now (451). */
type Mood = 'take' | 'refuse' | 'later'

/** A real mail server on this machine, that can be absent at first. */
export class MailServer {
  readonly port: number
  readonly received: ReceivedMail[] = []
  mood: Mood = 'take'
  connections = 0
  private server: SMTPServer | undefined

  private constructor(port: number) {
    this.port = port
  }

  static async onFreePort(): Promise<MailServer> {
    const server = new MailServer(await freePort())
    atEnd(() => server.stop())
    return server
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`
  }

  start(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onConnect: (_session, done) => {
        this.connections += 1
        done()
      },
      onRcptTo: (_address, _session, done) => {
        if (this.mood === 'take') return done()
        done(Object.assign(new Error('no'), { responseCode: this.mood === 'refuse' ? 550 : 451 }))
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const text = decoded(Buffer.concat(chunks).toString())
          const { mailFrom, rcptTo } = session.envelope
          const link = /https?:\/\/[^\s"<]+#[\w-]{43}/.exec(text)?.[0]
          this.received.push({ to: rcptTo[0]?.address ?? '', from: mailFrom ? mailFrom.address : '', text, link })
          done()
        })
      },
    })
    this.server = server
    return new Promise((resolve) => server.listen(this.port, '127.0.0.1', () => resolve()))
  }

  async stop(): Promise<void> {
    const { server } = this
    this.server = undefined
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

/** Takes connections and says nothing, ever. */
export async function silentServer(port: number): Promise<{ stop: () => Promise<void> }> {
  const open = new Set<{ destroy(): void }>()
  const server: Server = createServer((socket) => open.add(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    stop: async () => {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Quoted-printable, in bodies and in headers. */
const decoded = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, words: string) => words.replaceAll('_', ' '))
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
