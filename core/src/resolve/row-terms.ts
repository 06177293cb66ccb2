import type { Expr } from '../model/expression/ast.js'
import { comparedOf, type End, mapTerm, type Term } from '../model/join-term.js'
import { allOf, anyOf, binary, isNotNull, isNull } from './expressions.js'
import { type RelationColumn, tablesIn } from './relation-column.js'

/** A term of a join of rows: one of the model's, or any other condition on both, such as the range of a window. */
export type RowTerm<L = RelationColumn> = Term<Expr<L>> | Holds<L>

export interface Holds<L = RelationColumn> {
  readonly kind: 'holds'
  readonly condition: Expr<L>
}

export const equal = <L>(from: Expr<L>, to: Expr<L>): RowTerm<L> => ({ kind: 'equal', from, to })
export const holds = <L>(condition: Expr<L>): RowTerm<L> => ({ kind: 'holds', condition })

/** The terms as one condition; `undefined` if there are none. */
export function conditionOf<L>(on: readonly RowTerm<L>[]): Expr<L> | undefined {
  const [only, ...more] = on
  const conditions = only && more.length === 0 ? conditionsOf(only) : on.flatMap((term) => conditionsOf(term))
  return allOf(conditions)
}

function conditionsOf<L>(term: RowTerm<L>): readonly Expr<L>[] {
  switch (term.kind) {
    case 'equal':
      return [binary('=', term.from, term.to)]
    case 'holds':
      return [term.condition]
    // That the row is the nearest one is no condition on two rows: a plan numbers them, or asks the engine.
    case 'as-of':
      return [binary(term.direction === 'backward' ? '<=' : '>=', term.at, term.value)]
    case 'within': {
      const { value, start, end } = term
      const isAnyValue = start.isOpen && end.isOpen
      return [
        ...(isAnyValue ? [isNotNull(value)] : []),
        bounded(start, binary(start.isIncluded ? '>=' : '>', value, start.at)),
        bounded(end, binary(end.isIncluded ? '<=' : '<', value, end.at)),
      ]
    }
  }
}

const bounded = <L>({ at, isOpen }: End<Expr<L>>, isInside: Expr<L>): Expr<L> =>
  isOpen ? anyOf([isNull(at), isInside]) : isInside

/** The terms with each of their expressions mapped. */
export const mapTerms = <L, M>(on: readonly RowTerm<L>[], change: (expression: Expr<L>) => Expr<M>): readonly RowTerm<M>[] =>
  on.map((term) => (term.kind === 'holds' ? holds(change(term.condition)) : mapTerm(term, { from: change, to: change })))

/** The expressions that the terms compare, and their other conditions. */
export function expressionsOn<L>(on: readonly RowTerm<L>[]): readonly Expr<L>[] {
  const found: Expr<L>[] = []
  for (const term of on) {
    if (term.kind === 'equal') found.push(term.from, term.to)
    else if (term.kind === 'holds') found.push(term.condition)
    else found.push(...comparedOf([term], 'from'), ...comparedOf([term], 'to'), ...(term.kind === 'as-of' ? term.ties : []))
  }
  return found
}

/** The relation of each column that the terms read. */
export function tablesOn(on: readonly RowTerm[]): readonly string[] {
  const tables: string[] = []
  for (const expression of expressionsOn(on)) tables.push(...tablesIn(expression))
  return tables
}
