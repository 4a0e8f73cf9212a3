import { mkdir, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { contactSheet, type Picture } from './pictures/contact-sheet.ts'
import { furnish, furnishedEnv, halfway } from './pictures/furnish.ts'
import { type Address, addressesOf, lookers, takes } from './pictures/routes.ts'
import { contextOptions, type Size, sizes, type Theme } from './support/browse.ts'
import { launchChromium } from './support/chromium.ts'
import { logIn } from './support/people.ts'
import { buildOnce } from './support/set-up.ts'
import { settle } from './support/settle.ts'
import { setupLink, startDemoSite, startSite } from './support/site.ts'
import { watchPage } from './support/watch.ts'

// `npm run screenshots [-- PATTERN…] [--theme dark] [--size narrow] [--locale de-CH] [--full]`: a picture of every page
// of the portal, in English, and of the main ones in German too.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    theme: { type: 'string' },
    size: { type: 'string' },
    full: { type: 'boolean', default: false },
    locale: { type: 'string' },
  },
})
const folder = fileURLToPath(new URL('../../screenshots', import.meta.url))
const themes = (['light', 'dark'] as const).filter((theme) => values.theme === undefined || values.theme === theme)
const widths = (Object.keys(sizes) as Size[]).filter((size) => values.size === undefined || values.size === size)

/** Where a day’s work is done: also in German. */
const main = new Set(
  [
    'overview',
    'who-can-open',
    'key-desk',
    'live',
    'live-plans',
    'individuals',
    'individuals-id',
    'access-points-id',
    'access-grants',
  ]
    .concat([
      'keys-id',
      'schedules-id',
      'visits',
      'alarms',
      'lockdowns',
      'access-requests',
      'access-reviews-id',
      'import',
      'login',
    ])
    .concat(['access-control-systems-id', 'webhooks-id', 'user-management-roles', 'second-factor', 'organization']),
)

interface Look {
  theme: Theme
  size: Size
  locale: string
}
const looks: Look[] = (values.locale === undefined ? ['en-GB', 'de-CH'] : [values.locale]).flatMap((locale) =>
  themes.flatMap((theme) => widths.map((size) => ({ theme, size, locale }))),
)
const isWanted = ({ name, path }: Address, locale: string): boolean =>
  takes(positionals, name, path) && (values.locale !== undefined || locale === 'en-GB' || main.has(name))

await buildOnce()
const demo = await startDemoSite(furnishedEnv)
const empty = await startSite()

/**
 * Every address in one look, by each who looks. In a browser of its own: one that has drawn hundreds of pages has no
 * memory left.
 */
async function shoot(addresses: readonly Address[], { theme, size, locale }: Look): Promise<Picture[]> {
  const browser = await launchChromium()
  const pictures: Picture[] = []
  for (const who of lookers) {
    const mine = addresses.filter((address) => address.who === who && isWanted(address, locale))
    if (mine.length === 0) continue
    const home = who === 'nobody yet' ? empty : demo
    const context = await browser.newContext(contextOptions(home, { theme, size, locale }))
    if (who === 'somebody') await logIn(context, demo, demo.email, demo.password)
    if (who === 'somebody halfway') await logIn(context, demo, halfway.email, halfway.password)
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
      const file = `${name}.${size}.${theme}${locale === 'en-GB' ? '' : `.${locale}`}.png`
      await page.screenshot({ path: `${folder}/${file}`, fullPage: values.full, animations: 'disabled' })
      faults.push(...watch.faults())
      pictures.push({ name, path, file, theme, size, locale, faults })
      console.log(`${file}${faults.map((fault) => `\n    ${fault}`).join('')}`)
      await page.close()
    }
    await context.close()
  }
  await browser.close()
  return pictures
}

/** What there is to see, as a browser that is closed again has found it. */
async function explore(): Promise<{ addresses: Address[]; unknown: string[] }> {
  const browser = await launchChromium()
  const owner = await browser.newContext(contextOptions(demo))
  await logIn(owner, demo, demo.email, demo.password)
  const furnished = await furnish(owner, demo)
  const { addresses, unknown } = await addressesOf(browser, demo, await setupLink(empty))
  await browser.close()
  return { addresses: [...addresses, ...furnished], unknown }
}

async function takeAll(): Promise<number> {
  await mkdir(folder, { recursive: true })
  const { addresses, unknown } = await explore()
  const pictures: Picture[] = []
  // Two side by side: much of the time is waiting until a page has come to rest.
  const queue = [...looks]
  const work = async () => {
    for (let look = queue.shift(); look; look = queue.shift()) pictures.push(...(await shoot(addresses, look)))
  }
  await Promise.all([work(), work()])
  await writeFile(`${folder}/index.html`, contactSheet(pictures))
  for (const path of unknown)
    console.log(`NO PICTURE of ${path}: nothing says what to show there (test/browser/pictures/routes.ts)`)
  console.log(`${pictures.length} pictures: ${relative(process.cwd(), folder)}/index.html`)
  return unknown.length > 0 || pictures.some(({ faults }) => faults.length > 0) ? 1 : 0
}

try {
  process.exitCode = await takeAll()
} finally {
  await Promise.all([demo.stop(), empty.stop()])
}
