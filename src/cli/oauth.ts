import { migrate } from '../db/migrate.ts'
import { sealWith } from '../db/sealing.ts'
import { currentKid, rotateKeys } from '../identity/oauth/keys.ts'
import { sealKeysOf } from '../jobs/seal-key.ts'
import { defineCommand } from './command.ts'
import { withExistingDatabase } from './database.ts'

export const oauthRotateKeys = defineCommand({
  name: 'oauth rotate-keys',
  summary: 'Lets the next key sign access tokens from now on, and makes another one to follow.',
  details: `The service does it by itself every 90 days. Tokens that the former key has signed stay good, unless
--forget says otherwise: then every access token is refused within a second, and applications get
new ones by their refresh tokens.`,
  positionals: [],
  options: { forget: { type: 'boolean', description: 'A key has leaked: trust none of those before' } },
  async run({ config, clock, out, say }, { forget = false }) {
    const kid = await withExistingDatabase(config, async (engine) => {
      await migrate(engine)
      sealWith(engine, sealKeysOf(config))
      return rotateKeys(engine, clock.now(), await currentKid(engine.reader), forget)
    })
    if (kid === undefined) {
      say('Another process has rotated the keys at this very moment.')
      return 1
    }
    out(kid)
    return undefined
  },
})
