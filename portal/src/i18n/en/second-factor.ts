/** A second factor that is demanded: of whom, and how it is set up or given. */
export const secondFactor = {
  factorTitle: 'Set up a second factor',
  factorText: 'Your organization requires a second factor. Set one up to go on.',
  factorApp: 'Besides the password, logging in takes the code that an app on your phone shows.',
  factorPasskey: 'Log in with your fingerprint, your face or a security key instead.',
  factorByPasskey: 'Your organization requires it. Use your passkey, and go on.',
  demandFactor: 'Require a second factor',
  demandFactorTitle: (name: string) => `Require a second factor of “${name}”?`,
  demandFactorText:
    'Whoever has this role and no second factor sets one up before anything else, also those who are logged in now.',
  factorDemanded: (name: string) => `“${name}” requires a second factor`,
  waiveFactor: 'Require no second factor',
  waiveFactorTitle: (name: string) => `Require no second factor of “${name}” any more?`,
  waiveFactorText:
    'Whoever has this role may then log in with a password alone, unless the organization or another role requires ' +
    'more.',
  factorWaived: (name: string) => `“${name}” requires no second factor any more`,
  roleFactorHint: 'Whoever has the role and no second factor sets one up before anything else.',
  organizationFactorHint:
    'Whoever has none sets one up before anything else, you and all who are logged in now included. Tokens are not ' +
    'concerned. Only an Owner can take it back.',
}
