import type { Locator, Page } from 'playwright-core'

const MANY = 150

/** Presses Tab until the element has the focus, as somebody without a mouse would. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  const passed = new Set<string>()
  for (let presses = 0; presses < MANY; presses++) {
    const elsewhere = await target.evaluate(focusedBut)
    if (elsewhere === undefined) return
    passed.add(elsewhere)
    await page.keyboard.press(key)
  }
  throw new Error(`The keyboard does not reach ${target}. It passed:\n${[...passed].join('\n')}`)
}

/** Goes there by Tab and presses Enter. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Goes there by Tab and types. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

/** What has the focus, in words for a message, unless it is the target or in it; runs in the page. */
function focusedBut(target: Element): string | undefined {
  const element = document.activeElement
  if (!element) return 'nothing'
  if (target.contains(element)) return undefined
  const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)
  return `<${element.tagName.toLowerCase()}> ${name ?? ''}`
}
