/** Days that tell periods of another time by a calendar. A metric view has none, so each of both is a time of its own there. */
import type { SemanticModel } from '@grainline/core'
import type { Dimension, Expr } from '@grainline/core/language'
import type { ColumnRef } from '@grainline/importer-dbt/foreign'
import type { DataObject } from './tree.js'
import type { Views } from './views.js'

/** A dimension of a view that says the days of a calendar. */
interface Told {
  readonly own: string
  readonly column: string
  /** The columns by which its table joins calendars. */
  readonly days: readonly string[]
  /** Whether a window of the view runs over it. */
  readonly isOrder: boolean
}

export function reportDays({ model, report, all }: Views): void {
  const said = new Set<string>()
  for (const { view, fields } of all.values()) {
    const orders = new Set(view.measures.flatMap(({ windows }) => windows.map(({ order }) => order)))
    const told = [...fields].flatMap(([own, name]) => toldBy(model.dimensions.get(own), orders.has(name), model))
    for (const one of told) {
      const other = told.find(
        ({ isOrder, column, days }) => isOrder && column !== one.column && days.some((day) => one.days.includes(day)),
      )
      if (!other || said.has(one.own)) continue
      said.add(one.own)
      const message = `'${one.own}' tells days of '${other.own}' by a calendar, and is a time of its own there: what runs over '${other.own}' is not carried over '${one.own}'.`
      report.lose('rewritten', ['dimensions', one.own], message, { hint: `Ask it by '${other.own}'.` })
    }
  }
}

function toldBy(dimension: Dimension | undefined, isOrder: boolean, model: SemanticModel): readonly Told[] {
  const object = dimension && model.dataObjects.get(dimension.dataObject)
  const column = dimension && columnOf(dimension.expression)
  if (!dimension || !object || column === undefined) return []
  const days = object.joins.flatMap(({ to, on: [term, more] }) => {
    if (!model.dataObjects.get(to)?.calendar || term?.kind !== 'equal' || more) return []
    return term.from === column || dayUnder(object, term.from) === column ? [term.from] : []
  })
  return days.length > 0 ? [{ own: dimension.name, column, days, isOrder }] : []
}

const columnOf = (expression: Expr<ColumnRef>): string | undefined =>
  expression.kind === 'column' ? expression.column : undefined

/** The column of which a computed column is the day alone. */
function dayUnder({ columns }: DataObject, name: string): string | undefined {
  const { source } = columns.get(name) ?? {}
  if (source?.kind !== 'expression') return undefined
  const { expression } = source
  if (expression.kind === 'cast') return expression.type.kind === 'date' ? columnOf(expression.operand) : undefined
  const [unit, time] = expression.kind === 'call' && expression.name === 'date_trunc' ? expression.args : []
  return unit?.kind === 'literal' && String(unit.value).toLowerCase() === 'day' && time ? columnOf(time) : undefined
}
