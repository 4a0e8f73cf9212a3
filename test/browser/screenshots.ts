import { mkdir, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext } from 'playwright-core'
import { contactSheet, type Picture } from './pictures/contact-sheet.ts'
import { furnish, furnishedEnv } from './pictures/furnish.ts'
import { type Address, addressesOf, takes } from './pictures/routes.ts'
import { contextOptions, type Size, sizes, type Theme } from './support/browse.ts'
import { launchChromium } from './support/chromium.ts'
import { logIn } from './support/people.ts'
import { buildOnce } from './support/set-up.ts'
import { settle } from './support/settle.ts'
import { type DemoSite, setupLink, startDemoSite, startSite } from './support/site.ts'
import { watchPage } from './support/watch.ts'

// `npm run screenshots [-- PATTERN…] [--theme dark] [--size narrow] [--full]`: a picture of every page of the portal.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    theme: { type: 'string' },
    size: { type: 'string' },
    full: { type: 'boolean', default: false },
    locale: { type: 'string', default: 'en-GB' },
  },
})
const folder = fileURLToPath(new URL('../../screenshots', import.meta.url))
const themes = (['light', 'dark'] as const).filter((theme) => values.theme === undefined || values.theme === theme)
const widths = (Object.keys(sizes) as Size[]).filter((size) => values.size === undefined || values.size === size)

await buildOnce()
const browser = await launchChromium()
const demo = await startDemoSite(furnishedEnv)
const empty = await startSite()

/** Every address in one look, by a person logged in, by one who is not, and the set-up of an empty service. */
async function shoot(owner: BrowserContext, addresses: readonly Address[], theme: Theme, size: Size): Promise<Picture[]> {
  const site = (address: Address) => (address.who === 'nobody yet' ? empty : demo)
  const pictures: Picture[] = []
  for (const who of ['somebody', 'nobody', 'nobody yet'] as const) {
    const mine = addresses.filter((address) => address.who === who)
    if (mine.length === 0) continue
    const home = site(mine[0] as Address)
    const context = await browser.newContext(contextOptions(home, { theme, size, locale: values.locale }))
    if (who === 'somebody') await context.addCookies(await owner.cookies())
    for (const { name, path } of mine) {
      const page = await context.newPage()
      const watch = await watchPage(page, home.url)
      const faults: string[] = []
      await page
        .goto(path)
        .then(() => settle(page))
        .catch((error: Error) => faults.push(error.message.split('\n')[0] as string))
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (wider > 0) faults.push(`it is ${wider} px wider than the screen`)
      const file = `${name}.${size}.${theme}.png`
      await page.screenshot({ path: `${folder}/${file}`, fullPage: values.full, animations: 'disabled' })
      faults.push(...watch.faults())
      pictures.push({ name, path, file, theme, size, faults })
      console.log(`${file}${faults.map((fault) => `\n    ${fault}`).join('')}`)
      await page.close()
    }
    await context.close()
  }
  return pictures
}

async function main(browser: Browser, demo: DemoSite): Promise<number> {
  await mkdir(folder, { recursive: true })
  const owner = await browser.newContext(contextOptions(demo))
  await logIn(owner, demo, demo.email, demo.password)
  const furnished = await furnish(owner, demo)
  const { addresses, unknown } = await addressesOf(browser, demo, await setupLink(empty))
  const wanted = [...addresses, ...furnished].filter(({ name, path }) => takes(positionals, name, path))
  const looks = themes.flatMap((theme) => widths.map((size) => ({ theme, size })))
  // Side by side: most of the time is waiting until a page has come to rest.
  const pictures = (await Promise.all(looks.map(({ theme, size }) => shoot(owner, wanted, theme, size)))).flat()
  await writeFile(`${folder}/index.html`, contactSheet(pictures))
  for (const path of unknown) console.log(`NO PICTURE of ${path}: nothing says what to show there (test/browser/pictures/routes.ts)`)
  console.log(`${pictures.length} pictures: ${relative(process.cwd(), folder)}/index.html`)
  return unknown.length > 0 || pictures.some(({ faults }) => faults.length > 0) ? 1 : 0
}

try {
  process.exitCode = await main(browser, demo)
} finally {
  await browser.close()
  await Promise.all([demo.stop(), empty.stop()])
}
