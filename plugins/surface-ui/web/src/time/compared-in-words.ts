import type { Receipt, TimeRange } from '../api/types.js'

/** What was compared with what, as the server says it: of the level that says most in one sentence. */
export function comparedInWords(receipt: Receipt | undefined): readonly string[] {
  const all = (receipt?.time_ranges ?? []).filter(({ compared }) => compared !== undefined)
  const least = Math.min(...all.map(({ level }) => level.length))
  const texts = all
    .filter(({ level }) => level.length === least)
    .map((range) => `${range.time}: ${days(range)}, compared with ${days(range.compared ?? range)}.`)
  return [...new Set(texts)]
}

function days({ from, to }: Pick<TimeRange, 'from' | 'to'>): string {
  if (from === to && from !== null) return day(from)
  return `${from === null ? 'the first day' : day(from)} to ${to === null ? 'the last day' : day(to)}`
}

/** A date as people say it; a moment as it is. */
function day(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return text.replace('T', ' ')
  const date = new Date(`${text}T00:00:00Z`)
  return date.toLocaleDateString(undefined, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })
}
