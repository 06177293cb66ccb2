import { lastOf } from '../invariant.js'
import type { Call } from '../model/expression/ast.js'
import { binary, call, integer, text } from '../resolve/expressions.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

/** The last year of engines that have no later dates. */
const LAST_YEAR = 9999
/** Four hundred years are whole weeks, and all periods of four hundred years are equal. */
const DAYS_OF_400_YEARS = 146_097

/**
 * Steps from one date to another that pass a date after the last one: the year of whole weeks that contains 9999-12-31 is found by a day of
 * the year 10000. An engine without such days takes the steps of that last year four hundred years earlier, and then returns. `undefined`
 * if no step does so. `lowered` rewrites the date from which they start.
 */
export function throughEarlierDates(node: Call<SqlLeaf>, lowered: (start: SqlExpr) => SqlExpr): SqlExpr | undefined {
  const steps = stepsTo(node)
  if (!passesLaterDate(steps.slice(1).toReversed())) return undefined
  const first = dateOf(lastOf(steps))
  if (first.kind === 'call' && first.name === 'before_last_dates') return undefined
  const start = lowered(first)
  const end = steps.reduceRight<SqlExpr>(
    (date, step) => ({ ...step, args: [...step.args.slice(0, -1), date] }),
    beforeLastDates(start),
  )
  return moved(DAYS_OF_400_YEARS, cyclesOf(start), end)
}

/** A date of the last year as the same one four hundred years earlier: its periods are as long, and end with a date that the engine has. */
export const beforeLastDates = (date: SqlExpr): SqlExpr => moved(-DAYS_OF_400_YEARS, cyclesOf(date), date)

/** 1 in the last year, else 0. */
const cyclesOf = (date: SqlExpr): SqlExpr => call('div', call('extract', text('year'), date), integer(LAST_YEAR))

/** The steps that lead to a date, the last one first: truncations, and shifts by so many days or months. */
function stepsTo(end: SqlExpr): readonly Call<SqlLeaf>[] {
  const steps: Call<SqlLeaf>[] = []
  for (let at = end; at.kind === 'call' && (at.name === 'date_trunc' || moveOf(at)); at = dateOf(at)) steps.push(at)
  return steps
}

/** Whether a date between the first step and the last may be later than the start. A truncation never gives a later date. */
function passesLaterDate(steps: readonly Call<SqlLeaf>[]): boolean {
  let [months, days] = [0, 0]
  return steps.some((step) => {
    const move = moveOf(step)
    months += move?.months ?? 0
    days += move?.days ?? 0
    return months > 0 || (months === 0 && days > 0)
  })
}

/** `undefined` for a node that does not shift a date by a literal. */
function moveOf({ name, args: [unit, count] }: Call<SqlLeaf>): { readonly months: number; readonly days: number } | undefined {
  if (name !== 'date_add' || unit?.kind !== 'literal' || count?.kind !== 'literal') return undefined
  const [months, days] = LENGTHS[String(unit.value)] ?? []
  return months === undefined || days === undefined
    ? undefined
    : { months: months * Number(count.value), days: days * Number(count.value) }
}

const LENGTHS: Readonly<Record<string, readonly [months: number, days: number]>> = {
  day: [0, 1],
  week: [0, 7],
  month: [1, 0],
  quarter: [3, 0],
  year: [12, 0],
}

const dateOf = ({ args }: Call<SqlLeaf>): SqlExpr => lastOf(args)

const moved = (days: number, times: SqlExpr, date: SqlExpr): SqlExpr =>
  call('date_add', text('day'), binary('*', integer(days), times), date)
