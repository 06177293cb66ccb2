import type { Word } from './words.js'

/** A range of days that a question names, and the words that name it. `year` is undefined if there is none. */
export interface Span {
  readonly from: readonly [month: number, day: number]
  readonly to: readonly [month: number, day: number]
  readonly year: number | undefined
  readonly at: readonly number[]
  readonly grain: 'day' | 'month' | 'year'
}

const COMPARED = /^(compared|versus|vs|against|than)$/i

/** The spans of a question: more than one only if it compares them. */
export function spansIn(words: readonly Word[]): readonly Span[] {
  const at = words.findIndex(({ raw }) => COMPARED.test(raw))
  const whole = spanIn(words, 0)
  if (at < 0) return whole ? [whole] : []
  const [one, other] = [spanIn(words.slice(0, at), 0), spanIn(words.slice(at), at)]
  return one && other ? [one, other] : whole ? [whole] : []
}

/** A day, a month or a year: `4 July 2013`, `March 1995`, `August`, `1996`. `start` is the position of the first word. */
function spanIn(words: readonly Word[], start: number): Span | undefined {
  const yearAt = words.findIndex(({ raw }) => /^(19|20)\d\d$/.test(raw))
  const year = yearAt < 0 ? undefined : Number(words[yearAt]!.raw)
  const monthAt = words.findIndex(({ raw }) => MONTHS.includes(raw))
  const years = yearAt < 0 ? [] : [yearAt + start]
  if (monthAt < 0) return year === undefined ? undefined : { from: [1, 1], to: [12, 31], year, at: years, grain: 'year' }
  const month = MONTHS.indexOf(words[monthAt]!.raw) + 1
  const dayAt = [monthAt - 1, monthAt + 1].find((at) => /^\d{1,2}$/.test(words[at]?.raw ?? ''))
  const at = [...years, monthAt + start, ...(dayAt === undefined ? [] : [dayAt + start])]
  if (dayAt !== undefined) {
    const day = Number(words[dayAt]!.raw)
    return { from: [month, day], to: [month, day], year, at, grain: 'day' }
  }
  const last = new Date(Date.UTC(year ?? 2001, month, 0)).getUTCDate()
  return { from: [month, 1], to: [month, last], year, at, grain: 'month' }
}

export const dayText = (year: number, [month, day]: readonly [number, number]): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
