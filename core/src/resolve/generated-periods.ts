/** The days of a period that columns of a generated calendar name, known when a query is compiled. */
import { type ColumnRef, type Expr, isInner, isLiteral } from '../model/expression/ast.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { type Conjunct, columnOf, type WhereLeaf } from './resolved-query.js'

const DAY = 86_400_000

/** An ISO week is in the year of its Thursday. */
const thursday = (day: Date): Date => new Date(day.getTime() + (3 - ((day.getUTCDay() + 6) % 7)) * DAY)

const weekOf = (day: Date): number => {
  const middle = thursday(day)
  return Math.floor((middle.getTime() - new Date(0).setUTCFullYear(middle.getUTCFullYear(), 0, 1)) / DAY / 7) + 1
}

/** The numbers of a day, by their columns. */
const NUMBERS: Readonly<Record<string, (day: Date) => number>> = {
  'Year Number': (day) => day.getUTCFullYear(),
  'Quarter Number': (day) => Math.floor(day.getUTCMonth() / 3) + 1,
  'Month Number': (day) => day.getUTCMonth() + 1,
  'Week Number': weekOf,
  'Week Year': (day) => thursday(day).getUTCFullYear(),
}

/** The first and the last day that the conditions leave, as `YYYY-MM-DD`; `undefined` if there is none. */
export function daysNamed(
  named: readonly Conjunct[],
  model: SemanticModel,
): { readonly first: string; readonly last: string } | undefined {
  const days = daysOfPeriod(named, model) ?? []
  const [first, last] = [days[0], days.at(-1)]
  return first && last && { first: textOf(first), last: textOf(last) }
}

/** Whether the conditions name a period that does not exist, such as the thirteenth month of a year. */
export const namesNoDay = (named: readonly Conjunct[], model: SemanticModel): boolean => daysOfPeriod(named, model)?.length === 0

/** `undefined` if a condition is no equality, or if no year is named. */
function daysOfPeriod(named: readonly Conjunct[], model: SemanticModel): readonly Date[] | undefined {
  const tests = named.map((conjunct) => numberNamed(conjunct, model))
  const year = tests.find((test) => test?.column === 'Year Number' || test?.column === 'Week Year')?.value
  if (year === undefined || tests.includes(undefined)) return undefined
  if (!(year >= 1 && year <= 9998)) return []
  const holds = (day: Date): boolean => tests.every((test) => test !== undefined && NUMBERS[test.column]?.(day) === test.value)
  const start = new Date(0).setUTCFullYear(year - 1, 11, 25)
  return Array.from({ length: 390 }, (_, n) => new Date(start + n * DAY)).filter(holds)
}

const textOf = (day: Date): string => day.toISOString().slice(0, 10)

interface CalendarNumber {
  readonly column: string
  readonly value: number
}

/** The column of numbers, and its value: that of a label is its place. `undefined` for a column of other values, such as a name. */
function numberNamed({ expression, leaves }: Conjunct, model: SemanticModel): CalendarNumber | undefined {
  const [leaf] = leaves
  const ref = leaf?.kind === 'where-field' ? leaf.members[0].expression : undefined
  const value = valueIn(expression)
  if (!ref || isInner<ColumnRef>(ref) || value === undefined) return undefined
  const { source } = columnOf(model, ref)
  if (source.kind === 'expression' && source.expression.kind === 'case') {
    const at = source.expression.branches.findIndex(({ then }) => isLiteral(then) && then.value === value)
    return { column: ref.column.replace('Label', 'Number'), value: at + 1 }
  }
  return NUMBERS[ref.column] && { column: ref.column, value: Number(value) }
}

function valueIn(expression: Expr<WhereLeaf>): unknown {
  if (expression.kind === 'in') return literalIn(expression.list[0])
  return expression.kind === 'binary' ? (literalIn(expression.right) ?? literalIn(expression.left)) : undefined
}

const literalIn = (one: Expr<WhereLeaf> | undefined): unknown => (one && isLiteral(one) ? one.value : undefined)
