import type { secondFactor as en } from '../en/second-factor.ts'

export const secondFactor: typeof en = {
  factorTitle: 'Zweiten Faktor einrichten',
  factorText: 'Ihre Organisation verlangt einen zweiten Faktor. Richten Sie einen ein, dann geht es weiter.',
  factorApp: 'Zum Anmelden braucht es dann außer dem Passwort den Code, den eine App auf Ihrem Telefon zeigt.',
  factorPasskey: 'Melden Sie sich stattdessen mit Fingerabdruck, Gesicht oder Sicherheitsschlüssel an.',
  factorByPasskey: 'Ihre Organisation verlangt ihn. Verwenden Sie Ihren Passkey, dann geht es weiter.',
  demandFactor: 'Zweiten Faktor verlangen',
  demandFactorTitle: (name) => `Zweiten Faktor für „${name}“ verlangen?`,
  demandFactorText:
    'Wer diese Rolle und keinen zweiten Faktor hat, richtet zuerst einen ein, auch wer gerade angemeldet ist.',
  factorDemanded: (name) => `„${name}“ verlangt einen zweiten Faktor`,
  waiveFactor: 'Keinen zweiten Faktor verlangen',
  waiveFactorTitle: (name) => `Für „${name}“ keinen zweiten Faktor mehr verlangen?`,
  waiveFactorText:
    'Wer diese Rolle hat, kann sich dann mit dem Passwort allein anmelden, sofern weder Organisation noch andere ' +
    'Rollen mehr verlangen.',
  factorWaived: (name) => `„${name}“ verlangt keinen zweiten Faktor mehr`,
  roleFactorHint: 'Wer die Rolle und keinen zweiten Faktor hat, richtet zuerst einen ein.',
  organizationFactorHint:
    'Wer keinen hat, richtet zuerst einen ein, auch Sie und alle, die gerade angemeldet sind. Tokens sind nicht ' +
    'betroffen. Zurücknehmen kann es nur, wer die Gesamtverantwortung hat.',
}
