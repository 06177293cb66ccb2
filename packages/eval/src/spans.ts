import type { Word } from './words.js'

/** A range of days that a question names, and the words that name it. `year` is undefined if there is none. */
export interface Span {
  readonly from: readonly [month: number, day: number]
  readonly to: readonly [month: number, day: number]
  readonly year: number | undefined
  readonly at: readonly number[]
}

/** A day, a month or a year: `4 July 2013`, `March 1995`, `August`, `1996`. */
export function spanIn(words: readonly Word[]): Span | undefined {
  const yearAt = words.findIndex(({ raw }) => /^(19|20)\d\d$/.test(raw))
  const year = yearAt < 0 ? undefined : Number(words[yearAt]!.raw)
  const monthAt = words.findIndex(({ raw }) => MONTHS.includes(raw))
  const years = yearAt < 0 ? [] : [yearAt]
  if (monthAt < 0) return year === undefined ? undefined : { from: [1, 1], to: [12, 31], year, at: years }
  const month = MONTHS.indexOf(words[monthAt]!.raw) + 1
  const dayAt = [monthAt - 1, monthAt + 1].find((at) => /^\d{1,2}$/.test(words[at]?.raw ?? ''))
  const at = [...years, monthAt, ...(dayAt === undefined ? [] : [dayAt])]
  if (dayAt !== undefined) {
    const day = Number(words[dayAt]!.raw)
    return { from: [month, day], to: [month, day], year, at }
  }
  return { from: [month, 1], to: [month, new Date(Date.UTC(year ?? 2001, month, 0)).getUTCDate()], year, at }
}

export const dayText = (year: number, [month, day]: readonly [number, number]): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
