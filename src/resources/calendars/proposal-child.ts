import { text } from 'node:stream/consumers'
import type { Question, Reply } from './proposal.ts'

// A process of its own: what knows the holidays of the world is large and slow, and a file may be made to keep a parser
// busy.

const question: Question = JSON.parse(await text(process.stdin))

async function answer(): Promise<Reply> {
  if (question.ask === 'ical') {
    const proposal = (await import('./ical.ts')).daysOfFile(question.text, question)
    return proposal ? { proposal } : { refused: 'The body is not an iCalendar file' }
  }
  const { knownRegions, publicHolidays } = await import('./holidays.ts')
  if (question.ask === 'regions') return { regions: knownRegions() }
  const proposal = publicHolidays(question.region, question.language, question)
  return proposal
    ? { proposal }
    : { refused: `region: no holidays are known for ${question.region}; /api/v1/calendars/regions lists what is` }
}

process.stdout.write(JSON.stringify(await answer()))
