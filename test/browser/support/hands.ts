import type { Locator, Page } from 'playwright-core'
import { tabTo } from './keyboard.ts'
import { settle } from './settle.ts'

/** What somebody does at a page, each a step: with the mouse, or with the keyboard alone. */
export interface Hand {
  readonly steps: number
  /** To a page of the navigation. */
  go(page: string): Promise<void>
  /** To an item, by the palette. */
  find(name: string): Promise<void>
  press(target: Locator): Promise<void>
  /** Something from the menu of an item. */
  menu(item: string): Promise<void>
  type(target: Locator, text: string): Promise<void>
  /** One that a list offers when one types. */
  pick(target: Locator, text: string): Promise<void>
  /** One of few that are in sight. */
  choose(group: Locator, label: string): Promise<void>
  upload(target: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>
}

abstract class Steps {
  steps = 0
  protected readonly page: Page
  constructor(page: Page) {
    this.page = page
    // Somebody listens from the beginning: a dialog that opens before Chromium knows of it is the machine's own.
    page.on('filechooser', () => undefined)
  }
  protected step(): void {
    this.steps++
  }
  protected palette = () => this.page.getByRole('dialog').getByRole('combobox')
  protected actions = () => this.page.getByRole('button', { name: 'Actions', exact: true })
  protected async chosenFile(open: () => Promise<void>, file: Parameters<Hand['upload']>[1]): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), open()])
    await chooser.setFiles(file)
  }
}

class Mouse extends Steps implements Hand {
  async go(name: string) {
    await this.press(
      this.page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true }),
    )
    await settle(this.page)
  }
  async find(name: string) {
    await this.press(this.page.getByRole('button', { name: /^Search/ }))
    await this.palette().fill(name)
    await this.press(this.page.getByRole('option', { name }).first())
  }
  async press(target: Locator) {
    this.step()
    await target.click()
  }
  async menu(item: string) {
    await this.press(this.actions())
    await this.press(this.page.getByRole('menuitem', { name: item, exact: true }))
  }
  async type(target: Locator, text: string) {
    this.step()
    await target.click()
    await target.fill(text)
  }
  async pick(target: Locator, text: string) {
    this.step()
    await target.click()
    await this.page.keyboard.type(text)
    await this.page.getByRole('option', { name: text }).first().click()
  }
  async choose(group: Locator, label: string) {
    this.step()
    await group.getByText(label, { exact: true }).click()
  }
  async upload(target: Locator, file: Parameters<Hand['upload']>[1]) {
    this.step()
    await this.chosenFile(() => target.click(), file)
  }
}

const MANY = 60

class Keyboard extends Steps implements Hand {
  async go(name: string) {
    await this.inPalette(name, true)
    await settle(this.page)
  }
  async find(name: string) {
    await this.inPalette(name, false)
  }
  async press(target: Locator) {
    this.step()
    await tabTo(this.page, target)
    await this.page.keyboard.press('Enter')
  }
  async menu(item: string) {
    await this.press(this.actions())
    this.step()
    const wanted = this.page.getByRole('menuitem', { name: item, exact: true })
    await wanted.waitFor()
    await this.until('ArrowDown', () => wanted.evaluate((element) => element === document.activeElement))
    await this.page.keyboard.press('Enter')
  }
  async type(target: Locator, text: string) {
    this.step()
    await tabTo(this.page, target)
    await this.page.keyboard.press('ControlOrMeta+A')
    await this.page.keyboard.type(text)
  }
  async pick(target: Locator, text: string) {
    this.step()
    await tabTo(this.page, target)
    await this.page.keyboard.type(text)
    await this.page.getByRole('option', { name: text }).first().waitFor()
    const highlighted = this.page.locator('[role="option"][data-combobox-selected]:visible')
    await this.until('ArrowDown', async () => (await highlighted.filter({ hasText: text }).count()) > 0)
    await this.page.keyboard.press('Enter')
  }
  async choose(group: Locator, label: string) {
    this.step()
    await tabTo(this.page, group)
    await this.until('ArrowRight', () => group.getByRole('radio', { name: label, exact: true }).isChecked())
  }
  async upload(target: Locator, file: Parameters<Hand['upload']>[1]) {
    this.step()
    await tabTo(this.page, target)
    await this.chosenFile(() => this.page.keyboard.press('Enter'), file)
  }
  private async inPalette(name: string, isPage: boolean) {
    this.step()
    await this.page.keyboard.press('ControlOrMeta+K')
    await this.palette().waitFor()
    await this.page.keyboard.type(name)
    this.step()
    const option = isPage
      ? this.page.getByRole('group', { name: 'Pages' }).getByRole('option', { name, exact: true })
      : this.page.getByRole('option', { name })
    await option.first().waitFor()
    await settle(this.page)
    await this.until('ArrowDown', async () => (await option.first().getAttribute('aria-selected')) === 'true')
    await this.page.keyboard.press('Enter')
  }
  private async until(key: string, isThere: () => Promise<boolean>) {
    for (let presses = 0; presses < MANY; presses++) {
      if (await isThere()) return
      await this.page.keyboard.press(key)
    }
    throw new Error(`${key} does not lead there`)
  }
}

export const hands = {
  mouse: (page: Page): Hand => new Mouse(page),
  keyboard: (page: Page): Hand => new Keyboard(page),
}
