import { Gatehouse } from '../../../packages/client/src/client.ts'
import { CommandError, defineCommand, UsageError } from '../command.ts'
import { readStored, writeStored } from './credentials.ts'
import { answered, remoteCommand, serverOf } from './remote-command.ts'
import { record } from './table.ts'

export const login = defineCommand({
  name: 'login',
  summary: 'Keeps a token for a service, so that the other commands need not be told.',
  details: `The token is taken from --token, GATEHOUSE_TOKEN or standard input, tried, and kept in a file that
only you can read (GATEHOUSE_CREDENTIALS, unless set ~/.config/gatehouse/credentials.json).`,
  positionals: ['URL'],
  options: { token: { type: 'string', value: 'TOKEN', description: 'A personal access token' } },
  async run(context, values, [url]) {
    const { config, input, say } = context
    const server = serverOf(url)
    const token = (values.token ?? config.remote.token ?? (await input())).trim()
    if (token === '') throw new UsageError('No token was given: --token, GATEHOUSE_TOKEN or standard input.')
    const client = new Gatehouse({ server, token })
    return answered(client, context, async () => {
      const { data } = await client.get('/api/v1/me')
      const file = config.remote.credentialsFile
      const stored = readStored(file)
      writeStored(file, { current: server, servers: { ...stored.servers, [server]: { token } } })
      say(`You are ${data.name} at ${server}.`)
      return undefined
    })
  },
})

export const logout = defineCommand({
  name: 'logout',
  summary: 'Forgets the token of a service. The token itself goes on working until it is revoked.',
  positionals: ['[URL]'],
  options: {},
  async run({ config, say }, _values, [url]) {
    const file = config.remote.credentialsFile
    const { current, servers } = readStored(file)
    const server = serverOf(url ?? current)
    if (!servers[server]) throw new CommandError(`You are not logged in at ${server}.`)
    const { [server]: _, ...others } = servers
    writeStored(file, { current: current === server ? Object.keys(others)[0] : current, servers: others })
    say(`The token for ${server} is forgotten here.`)
    return undefined
  },
})

export const whoami = remoteCommand({
  name: 'whoami',
  summary: 'Says who you are to a service, and what you may do there.',
  positionals: [],
  options: {},
  async run(client, { out }, { json }) {
    const { data } = await client.get('/api/v1/me')
    const { permissions } = data
    const shown = {
      server: client.server,
      name: data.name,
      permissions: permissions.map(({ permission }) => permission).join(' '),
    }
    out(json ? JSON.stringify(data, null, 2) : record(shown))
    return undefined
  },
})
