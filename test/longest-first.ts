import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes far longer than the size of its file says. Begun last, it would go on alone while the other cores have
 * nothing to do.
 */
const LONG = [
  '/browser/every-page/',
  '/browser/roles/',
  '/browser/journeys.test.ts',
  '/faults/schedule-years.test.ts',
  '/test/regular-expressions.test.ts',
]

const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((part) => moduleId.includes(part))

/** The files of a project as Vitest sorts them, but for these: they are begun first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...byProject.values()].flatMap((own) => [...own.filter(isLong), ...own.filter((file) => !isLong(file))])
  }
}
