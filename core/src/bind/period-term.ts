import { mapTerm, type Side, type Term } from '../model/join-term.js'
import type { Typed } from '../resolve/in-clocks.js'
import { clocksOfPeriod, comparable, comparableTimes } from '../resolve/in-period.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import type { BindContext } from './bind-context.js'

type TypedRead = Typed<RelationColumn>
type Reads = { readonly [S in Side]: (name: string) => TypedRead }

/** A term over what `readBy` reads: for a period by the clocks of the join, so that its values are of one type. */
export function readPeriod(term: Term<string>, context: BindContext, readBy: (context: BindContext) => Reads): Term<TypedRead> {
  const reading = term.kind === 'as-of' ? term : term.kind === 'within' ? term.reading : undefined
  if (!reading) return mapTerm(term, readBy(context))
  const time = clocksOfPeriod(reading, context.model.settings, context.time)
  const read = mapTerm(term, readBy({ ...context, time }))
  if (read.kind === 'as-of') return comparableTimes(read, time)
  return read.kind === 'within' ? comparable(read, time) : read
}

/** The same without types. */
export function inPeriod(term: Term<string>, context: BindContext, readBy: (context: BindContext) => Reads): Term<RowExpr> {
  const expression = (one: TypedRead): RowExpr => one.expression
  return mapTerm(readPeriod(term, context, readBy), { from: expression, to: expression })
}
