import { Gatehouse } from '../../../packages/client/src/client.ts'
import { GatehouseError } from '../../../packages/client/src/errors.ts'
import {
  type Command,
  CommandError,
  type Context,
  defineCommand,
  type Options,
  UsageError,
  type Values,
} from '../command.ts'
import { readStored } from './credentials.ts'

const connection = {
  server: {
    type: 'string',
    value: 'URL',
    description: 'The service, such as https://gatehouse.example (GATEHOUSE_SERVER, or where you are logged in)',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    description: 'A token (GATEHOUSE_TOKEN, or the one you are logged in with)',
  },
  json: { type: 'boolean', description: 'JSON for programs instead of a table for people' },
} as const satisfies Options

type Connection = typeof connection

interface Remote<O extends Options> extends Omit<Command<O>, 'run'> {
  run(
    client: Gatehouse,
    context: Context,
    values: Values<O & Connection>,
    positionals: readonly string[],
  ): Promise<number | undefined>
}

const CODES =
  'Exit: 0 done, 1 refused, 2 asked wrongly, 3 no credential or permission, 4 not there, 5 in conflict, 6 not reached.'

/** A command that speaks to a service over its API. */
export const remoteCommand = <const O extends Options>(command: Remote<O>): Command =>
  defineCommand({
    ...command,
    details: command.details ? `${command.details}\n${CODES}` : CODES,
    options: { ...command.options, ...connection },
    run(context, values, positionals) {
      const client = connect(context, values)
      return answered(client, context, () => command.run(client, context, values, positionals))
    },
  })

/** What the service refuses is said, and told by the exit code. */
export async function answered({ server }: Gatehouse, { say }: Context, work: () => Promise<number | undefined>) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error
    say(
      error.status === 0
        ? `${server} cannot be reached: is the address right, and does the service run?`
        : sentenceOf(error),
    )
    return exitCode(error)
  }
}

function connect({ config }: Context, { server, token }: Values<Connection>): Gatehouse {
  const stored = readStored(config.remote.credentialsFile)
  const address = serverOf(server ?? config.remote.server ?? stored.current)
  const key = token ?? config.remote.token ?? stored.servers[address]?.token
  if (key === undefined)
    throw new CommandError(`You are not logged in at ${address}: gatehouse login ${address}, or set GATEHOUSE_TOKEN.`)
  return new Gatehouse({ server: address, token: key })
}

export function serverOf(text: string | undefined): string {
  if (text === undefined)
    throw new UsageError('Which service? Give --server, set GATEHOUSE_SERVER, or log in: gatehouse login URL')
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`"${text}" is no address of a service, such as https://gatehouse.example`)
  return url.origin
}

const sentenceOf = ({ message, details, reqId }: GatehouseError): string =>
  [
    message,
    ...details.filter((fault) => fault.message !== message).map((fault) => `  ${fault.path}: ${fault.message}`),
  ].join('\n') + (reqId === undefined ? '' : ` (${reqId})`)

function exitCode({ status }: GatehouseError): number {
  if (status === 0) return 6
  if (status === 401 || status === 403) return 3
  if (status === 404) return 4
  return status === 409 || status === 412 ? 5 : 1
}

/** A noun as in the address, or what lies below an item: `individuals`, `access-groups/ID/members`. */
export function pathOf(noun: string): string {
  if (!/^[a-z][\w./-]*$/i.test(noun))
    throw new UsageError(`"${noun}" is no resource; they are called as in the address, such as access-points`)
  return `/api/v1/${noun.split('/').filter(Boolean).join('/')}`
}

/**
 * Where its items are listed with every field, filters and cursor: `/api/v1/spaces` itself has the shape of the
 * specification.
 */
export const listPath = (noun: string): string => (noun === 'spaces' ? '/api/v1/spaces/records' : pathOf(noun))

/** By its id, or with `external_id:` before it by the caller's own key. */
export const itemPath = (noun: string, id: string): string =>
  id.startsWith('external_id:')
    ? `${pathOf(noun)}/by-external-id/${encodeURIComponent(id.slice('external_id:'.length))}`
    : `${pathOf(noun)}/${encodeURIComponent(id)}`
