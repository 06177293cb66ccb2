/** The meaning of names at one place of the outer statement. */
import { bodyOf, type Node, type SelectStmt, wordsOf } from '../grammar/node.js'
import { quoted } from '../grammar/quoted.js'

export interface Scope {
  /** Names of WITH that are visible here. */
  readonly made: ReadonlySet<string>
  /** The text that replaces a node if it is a column of a model query; `undefined` if the node itself is written. */
  readonly spelled: (node: Node) => string | undefined
  /** Whether the number of repeated rows matters, so that a bare projection has as many rows as its model. */
  readonly counted?: boolean
  /** By names of WITH: non-additive measures. */
  readonly shown?: ReadonlyMap<string, ShownColumns>
  /** Which columns are times. */
  readonly time?: TimesOf
  /** By names of WITH: which of their columns are times. */
  readonly timesOfWith?: ReadonlyMap<string, (name: string) => OuterTime | undefined>
}

/** A value of time. `zone`: that of its model. */
export interface OuterTime {
  readonly kind: 'date' | 'timestamp' | 'timestamp_tz'
  readonly zone: string
  /** The unit, if it is a period of an instant. A period is what the clocks showed, also beside a text. */
  readonly period?: string
}

/** The time that a node is, if it is a column or stands for one. */
export type TimesOf = (node: Node) => OuterTime | undefined

/** The names of the columns of an alias. */
export const columnNames = (names: readonly Node[] | undefined): string =>
  names && names.length > 0 ? `(${wordsOf(names).map(quoted).join(', ')})` : ''

/** The meaning of names inside a SELECT: its own relations have precedence over those of the outer statement. */
export function within({ fromClause = [] }: SelectStmt, outer: Scope): Scope {
  const own = new Set(fromClause.flatMap(relationNames))
  return outside(outer, (words) => !own.has(words[0] ?? ''))
}

/** The scope of a subquery in an expression: columns of the outer statement only by their full names, because its own have precedence. */
export const forSubquery = (scope: Scope): Scope => outside({ ...scope, counted: false }, (words) => words.length > 1)

/** The scope of expressions that read only such columns. */
function outside(scope: Scope, isOutside: (words: readonly string[]) => boolean): Scope {
  // Each part of an expression is looked up, from the whole to its leaves; results for lower parts are kept.
  const known = new WeakMap<object, boolean>()
  const isApart = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return true
    const found = known.get(value) ?? look(value)
    known.set(value, found)
    return found
  }
  const look = (value: object): boolean =>
    'ColumnRef' in value ? isOutside(wordsOf(bodyOf(value, 'ColumnRef')?.fields)) : Object.values(value).every(isApart)
  return { ...scope, spelled: (node) => (isApart(node) ? scope.spelled(node) : undefined) }
}

function relationNames(node: Node): readonly string[] {
  const join = bodyOf(node, 'JoinExpr')
  if (join) return [join.larg, join.rarg].flatMap(relationNames)
  const relation = bodyOf(node, 'RangeVar')
  const name = relation?.alias?.aliasname ?? relation?.relname ?? bodyOf(node, 'RangeSubselect')?.alias?.aliasname
  return name === undefined ? [] : [name]
}

/** A non-additive measure in a column of a relation. */
export interface Shown {
  readonly measure: string
  readonly model: string
  /** The subselect itself decides its groups. */
  readonly finished: boolean
}

export type ShownColumns = ReadonlyMap<string, readonly Shown[]>
