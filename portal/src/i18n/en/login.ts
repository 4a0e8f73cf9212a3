import { byCode } from '../by-code.ts'

export const login = {
  title: 'Log in',
  email: 'E-mail address',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 12 characters. A sentence is good.',
  button: 'Log in',
  passkey: 'Log in with a passkey',
  sso: (name: string) => `Log in with ${name}`,
  acceptWith: (name: string) => `Accept with ${name}`,
  provider: 'the provider',
  /** By the reason that the service gives. */
  ssoFailed: byCode<(name: string) => string>({
    'sign_on.unknown_identity': (name) =>
      `Nobody here is connected with this account of ${name}. If you have an account here, log in another way and ` +
      `connect ${name} in your profile. If you were invited, open the invitation and accept it with ${name}. ` +
      `Otherwise ask an administrator to invite you.`,
    'sign_on.expired': () => 'That took too long, or it was begun in another browser. Try again.',
    'sign_on.denied': (name) =>
      `${name} did not let you in. If you did not cancel it yourself, ask whoever runs ${name}.`,
    'sign_on.refused': (name) =>
      `The answer of ${name} could not be verified. Try again; if it happens again, tell an administrator.`,
    'sign_on.no_email': (name) =>
      `${name} does not vouch for an e-mail address of yours, which is needed to join. Confirm your address there, ` +
      `or ask an administrator here for an invitation.`,
    'identity.exists': (name) => `This account of ${name} is connected with yours already.`,
    'identity.taken': (name) =>
      `This account of ${name} is connected with somebody else here. Choose another account at ${name}.`,
    login_failed: () => 'You cannot log in at present. Ask an administrator.',
    organization_suspended: () => 'The organization is suspended at present. Ask whoever runs this service.',
    invalid_credential: () => 'You were logged out meanwhile. Log in, then connect the account again.',
    invalid_link: () =>
      'The invitation does not work any more: it has expired, was used already or was replaced by a newer one. If ' +
      'you have accepted it, log in.',
    RATE_LIMITED: () => 'Too many attempts. Wait a minute, then try again.',
  }),
  ssoFailedOtherwise: (name: string) =>
    `Logging in with ${name} did not work. Try again later; if it stays so, tell an administrator.`,
  anotherWay: 'Log in another way',
  or: 'or',
  codeTitle: 'Second factor',
  codeText: 'Enter the code that your authenticator app shows.',
  code: 'Code',
  recoveryText: 'Enter one of your recovery codes. Each works once.',
  recoveryCode: 'Recovery code',
  useRecovery: 'Use a recovery code instead',
  useApp: 'Use the authenticator app instead',
  organizationText: 'You are known to several organizations. Which one do you want to log in to?',
  organization: 'Organization',
  forgotten: 'Forgotten your password? An administrator can give you a link to a new one.',
  resetByMail: 'Forgotten your password? Send me a link',
  resetAgain: 'Send the link again',
  resetNeedsEmail: 'Enter your e-mail address here first',
  resetSent: (email: string) =>
    `If somebody logs in here with ${email} and a password, a link to a new password is on its way there. It works ` +
    `for an hour. If nothing comes, look among unwanted mail, or ask an administrator.`,
  expired: 'Your session has ended. Log in again to go on where you were.',
  loggedOut: 'You are logged out.',
  passwordSet: 'Your new password is set. Log in with it.',
  setupTitle: 'Set up Gatehouse',
  setupText: 'Name your organization and make the first account: its owner.',
  organizationName: 'Name of the organization',
  timeZone: 'Time zone',
  yourName: 'Your name',
  setupButton: 'Set up',
  invitationTitle: 'Welcome to Gatehouse',
  invitedBy: (organization: string) => `${organization} invites you to its access control.`,
  invitationText: 'Choose a password to accept the invitation.',
  invitationTextSso: 'Choose a password to accept the invitation, or use an account that you have already.',
  invitationDead:
    'The invitation has expired, was used already or was replaced by a newer one. If you have accepted it, log in. ' +
    'Otherwise ask whoever invited you for a new link.',
  nameOptional: 'Your name (if it is not as invited)',
  invitationButton: 'Accept the invitation',
  resetTitle: 'Set a new password',
  resetText: 'This also ends your sessions and the access of applications. A second factor stays as it is.',
  resetButton: 'Set the password',
  resetDead:
    'It has expired, was used already or was replaced by a newer one. If you still need a new password, get another ' +
    'link at the login.',
  setupDead: 'It was used already, or the service has printed a newer one since. If Gatehouse is set up, log in.',
  linkDead: 'This link does not work any more',
  linkMissing: 'The link is not complete: copy all of it into the address bar.',
  confirmByPasskey: 'Confirm with a passkey',
  confirmByLogin: 'You have neither a password nor a passkey here: log out and in again, then repeat this.',
  consentTitle: (name: string) => `${name} asks for access`,
  consentWho: (name: string, email: string) =>
    `You are ${name} (${email}). If you agree, it may act for you for at most 90 days, or until you end it in ` +
    `your profile.`,
  consentKnows: 'It can',
  consentDoes: 'It may do this for you',
  consentLess: 'Take away what it does not need.',
  consentLacking: 'It also asks for what you may not do yourself, and does not get',
  consentSentTo: 'You are then sent to',
  consentAgree: 'Agree',
  consentRefuse: 'Refuse',
  consentFailed: 'That did not work',
  consentGone:
    'This request for access has expired, was answered already, or is not yours. Go back to the application and ' +
    'start again.',
  identityScopes: byCode({}),
  toLogin: 'Go to the login',
}
