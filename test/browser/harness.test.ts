import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './support/accessible.ts'
import { browsing } from './support/browse.ts'
import { tabTo } from './support/keyboard.ts'
import { addAuthenticator } from './support/people.ts'
import { startSite } from './support/site.ts'

// The tools of these tests find what they are there to find.

const site = await startSite()
afterAll(() => site.stop())
const { open } = browsing()

describe('a page', () => {
  it('that breaks its policy, fails or asks somebody else is noticed', async () => {
    const { page, watch } = await open(site)
    await page.goto('/docs/api/errors')
    expect(watch.faults()).toEqual([])
    await page.evaluate(() => {
      const image = document.createElement('img')
      image.src = 'http://elsewhere.example/pixel.png'
      const style = document.createElement('style')
      style.textContent = 'body { color: red }'
      document.body.append(image, style)
      setTimeout(() => {
        throw new Error('on purpose')
      })
    })
    for (const fault of [/^policy: img-src/, /^policy: style-src/, /^exception: Error: on purpose/]) {
      await expect.poll(watch.faults).toContainEqual(expect.stringMatching(fault))
    }
    watch.allow(/./)
  })

  it('with a button that has no name, or text that cannot be read in one theme, is not accessible', async () => {
    const { page } = await open(site)
    await page.goto('/docs/api/errors/NOT_FOUND')
    await expectAccessible(page)
    await page.evaluate(() => {
      const text = document.createElement('p')
      text.textContent = 'Grey on grey'
      text.style.cssText = 'color: #777; background: #888'
      document.querySelector('main')?.append(text, document.createElement('button'))
    })
    await expect(expectAccessible(page)).rejects.toThrow(
      /button-name[\s\S]*color-contrast|color-contrast[\s\S]*button-name/,
    )
  })

  it('that shows something in one theme alone is asked everything in that one too', async () => {
    const { page } = await open(site)
    await page.goto('/docs/api/errors/NOT_FOUND')
    await page.evaluate(() => {
      const button = document.createElement('button')
      button.id = 'nameless'
      document.querySelector('main')?.append(button)
      const style = new CSSStyleSheet()
      style.replaceSync(
        '#nameless { width: 40px; height: 40px } @media (prefers-color-scheme: light) { #nameless { display: none } }',
      )
      document.adoptedStyleSheets.push(style)
    })
    await expect(expectAccessible(page)).rejects.toThrow(/, dark:\nbutton-name/)
  })

  it('is walked through by keyboard, and what cannot be reached is named', async () => {
    const { page } = await open(site)
    await page.goto('/docs/api/errors')
    await tabTo(page, page.getByRole('link', { name: 'NOT_FOUND' }).first())
    await expect(tabTo(page, page.getByRole('heading', { level: 1 }))).rejects.toThrow('The keyboard does not reach')
  })

  it('has a passkey reader at its side', async () => {
    const { page } = await open(site)
    await page.goto('/docs/api/errors')
    const reader = await addAuthenticator(page)
    const made = await page.evaluate(async () => {
      const publicKey = {
        challenge: new Uint8Array(32),
        rp: { name: 'Test' },
        user: { id: new Uint8Array(16), name: 'ada', displayName: 'Ada' },
        pubKeyCredParams: [{ type: 'public-key' as const, alg: -7 }],
        authenticatorSelection: { residentKey: 'required' as const, userVerification: 'required' as const },
      }
      return (await navigator.credentials.create({ publicKey }))?.type
    })
    expect(made).toBe('public-key')
    expect(await reader.credentials()).toBe(1)
  })
})
