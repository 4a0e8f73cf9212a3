import { migrate } from '../db/migrate.ts'
import { knownSealKey } from '../db/sealing.ts'
import { forgetSealed, type Lost, whatIsLost } from '../jobs/forget-sealed.ts'
import { sealKeysOf } from '../jobs/seal-key.ts'
import { CommandError, defineCommand } from './command.ts'
import { commandLine, withExistingDatabase } from './database.ts'
import { lockDataFolder } from './serving/data-folder-lock.ts'

export const forgetSealedSecrets = defineCommand({
  name: 'forget-sealed-secrets',
  summary: 'Gives up the secrets that only a lost key could open, and goes on with a new key.',
  details: `For when the file secret-key (or SECRET_KEY) is lost for good. Says what is lost; --yes does it, on
the record of every organization. People whose authenticator app is lost log in with the password
alone until they set up another. Stop the service first.`,
  positionals: [],
  options: { yes: { type: 'boolean', description: 'Does it; without this it is only said what would be lost' } },
  async run({ config, clock, out, say }, { yes = false }) {
    const lock = lockDataFolder(config, 'alone')
    try {
      return await withExistingDatabase(config, async (engine) => {
        const known = await knownSealKey(engine.reader)
        if (known === undefined)
          throw new CommandError('Nothing is sealed in this database; there is nothing to forget.')
        const keys = sealKeysOf(config)
        if (keys.find()?.has(known))
          throw new CommandError(`The key ${known} is here: nothing is lost, and nothing was changed.`)
        for (const line of describe(await whatIsLost(engine, clock.now()))) out(line)
        if (!yes) {
          say('Nothing was changed. To do it: gatehouse forget-sealed-secrets --yes')
          return 1
        }
        await migrate(engine)
        await forgetSealed(engine, clock.now(), commandLine)
        const { keyId } = keys.find() ?? keys.make()
        say(`Forgotten. From now on secrets are sealed with the key ${keyId}: keep a copy of it.`)
        return undefined
      })
    } finally {
      lock.release()
    }
  },
})

const describe = ({ factors, systems, pins, codes, mails, flows, oauthKeys, webhooks, imports }: Lost): string[] => [
  `Authenticator apps (TOTP) of people, with their recovery codes: ${factors}`,
  `Secret settings of access control systems, to be entered again: ${systems}`,
  `PINs of credentials, to be set again: ${pins}`,
  `QR codes of visits, which go on opening and cannot be shown again: ${codes}`,
  `Letters that wait to be sent, with the links in them: ${mails}`,
  `Logins under way by passkey or single sign-on, to be begun again: ${flows}`,
  `Imports with rows that wait or failed, to be sent again (what is in stays): ${imports}`,
  `Webhooks, disabled until they are given a new secret: ${webhooks}`,
  'Keys that sign OAuth access tokens, made anew (access tokens are refused until applications renew them): ' +
    `${oauthKeys}`,
]
