import type { Page } from 'playwright-core'
import { isQuiet, untilQuiet } from './traffic.ts'

/** Waits until the page has loaded what it shows: no requests, no skeletons, nothing that still moves to its place. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  do {
    await untilQuiet(page)
    await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root[data-visible="true"], [aria-busy="true"]') === null)
    // A page that has not come to drawing what it was sent has nothing under way either: this comes after all that waits for its turn.
    await page.evaluate(() => scheduler.postTask(() => undefined, { priority: 'background' }))
    await stand(page)
  } while (!isQuiet(page))
}

/** Waits until nothing moves any more, where nothing has to be loaded. */
export async function stand(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    await document.fonts.ready
    const ending = document.getAnimations().filter((animation) => Number.isFinite(Number(animation.effect?.getComputedTiming().endTime)))
    await Promise.allSettled(ending.map((animation) => animation.finished))
  })
}
