import type { Page } from 'playwright-core'
import { isQuiet, untilQuiet } from './traffic.ts'

/**
 * A page that gets no turn and no frame for so long, as a browser with too few cores may give it none, is looked at as
 * it is.
 */
const LIMIT_MS = 10_000

/** Waits until the page has loaded what it shows: no requests, no skeletons, nothing that still moves to its place. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  do {
    await untilQuiet(page)
    await page.waitForFunction(
      () => document.querySelector('.mantine-Skeleton-root[data-visible="true"], [aria-busy="true"]') === null,
    )
    // A page that has not come to drawing what it was sent has nothing under way either: this comes after all that
    // waits for its turn.
    await page.evaluate((limit) => {
      const turn = scheduler.postTask(() => undefined, { priority: 'background' })
      return Promise.race([turn, new Promise((resolve) => setTimeout(resolve, limit))])
    }, LIMIT_MS)
    await stand(page)
  } while (!isQuiet(page))
}

/** Waits until nothing moves any more, where nothing has to be loaded. */
export async function stand(page: Page): Promise<void> {
  await page.evaluate(async (limit) => {
    const stood = async () => {
      await new Promise(requestAnimationFrame)
      await document.fonts.ready
      const ending = document
        .getAnimations()
        .filter((animation) => Number.isFinite(Number(animation.effect?.getComputedTiming().endTime)))
      await Promise.allSettled(ending.map((animation) => animation.finished))
    }
    await Promise.race([stood(), new Promise((resolve) => setTimeout(resolve, limit))])
  }, LIMIT_MS)
}
