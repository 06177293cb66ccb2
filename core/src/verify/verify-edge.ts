import { firstOf, zip } from '../invariant.js'
import { type DataType, INT, STRING, sameType } from '../model/data-type.js'
import { equalColumns } from '../model/join-term.js'
import type { Join } from '../model/semantic-model.js'
import { binary, integer, isNull } from '../resolve/expressions.js'
import type { Select, SqlExpr, Statement } from '../sql/statement.js'
import { baseRows } from './base-rows.js'
import type { EdgeReport } from './report.js'
import { keyAt, numberAt, runStatement } from './run-statement.js'
import {
  ALWAYS,
  anyNull,
  column,
  counted,
  crossJoin,
  item,
  leftJoin,
  ordered,
  part,
  present,
  select,
  sumWhere,
} from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'
import { MOST_EXAMPLES } from './verify-object.js'

/** The kind of row that an example shows. */
const ORPHAN = 1
const TWICE_THERE = 2
const TWICE_HERE = 3

interface Side {
  readonly names: readonly string[]
  readonly types: readonly DataType[]
  readonly values: readonly SqlExpr[]
  readonly n: SqlExpr
}

/** One statement: the links of the rows here joined with those of the rows there, their totals, and examples. */
export async function verifyEdge(join: Join, context: VerifyContext): Promise<EdgeReport> {
  const links = linksOf(join, context)
  const { totals, targets, examples } = factsOf(join, links)
  const read = (name: string, { items }: Select) => items.map(({ alias, type }) => item(alias, column(name, alias, type), type))
  const body = select(
    [...read('totals', totals), ...read('targets', targets), ...read('examples', firstOf(examples))],
    leftJoin(crossJoin(part('totals'), part('targets')), part('examples'), ALWAYS),
  )
  const ctes = [
    ...links.ctes,
    { name: 'totals', query: totals },
    { name: 'targets', query: targets },
    { name: 'examples', query: { kind: 'union-all' as const, parts: examples } },
  ]
  return reportOf(join, links.from.names, await runStatement(ctes, body, context))
}

/** The values by which the rows of both sides are joined, each with its number of rows. */
interface Links {
  readonly from: Side
  /** All rows there. */
  readonly known: Side
  /** The rows there that the model shows. */
  readonly to: Side
  readonly ctes: Statement['ctes']
}

function linksOf(join: Join, context: VerifyContext): Links {
  const { columnsFrom, columnsTo } = equalColumns(join.on)
  const here = baseRows({ object: join.from, name: 'from_rows', wanted: linksOn(join.from, columnsFrom) }, context)
  // A row there that a filter of the model hides is hidden by that filter, not missing.
  const there = baseRows({ object: join.to, name: 'to_rows', wanted: linksOn(join.to, columnsTo), all: true }, context)
  const visible = baseRows({ object: join.to, name: 'to_visible', wanted: linksOn(join.to, columnsTo) }, context)
  return {
    from: sideOf('from_links', here.columns),
    known: sideOf('to_links', there.columns),
    to: sideOf('to_visible_links', visible.columns),
    ctes: [
      ...here.ctes,
      ...there.ctes,
      ...visible.ctes,
      { name: 'from_links', query: counted('from_rows', here.columns) },
      { name: 'to_links', query: counted('to_rows', there.columns) },
      { name: 'to_visible_links', query: counted('to_visible', visible.columns) },
    ],
  }
}

/** The totals of both sides, and rows that show a fault. */
function factsOf({ cardinality }: Join, { from, known, to }: Links) {
  const on = zip(from.values, known.values)
    .map(([value, there]) => binary('=', value, there))
    .reduce((a, b) => binary('and', a, b))
  const orphan = [...present(from.values), isNull(known.n)]
  const met = leftJoin(part('from_links'), part('to_links'), on)
  const totals = select(
    [
      item('row_total', sumWhere(from.n, []), INT),
      item('null_links', sumWhere(from.n, [anyNull(from.values)]), INT),
      item('without_parent', sumWhere(from.n, orphan), INT),
      item('missing_parents', sumWhere(integer(1), orphan), INT),
      item('duplicate_sources', sumWhere(integer(1), twice(from)), INT),
    ],
    met,
  )
  const targets = select([item('duplicate_targets', sumWhere(integer(1), twice(to)), INT)], part('to_visible_links'))
  const shown = zip(from.types, to.types).map(([type, there]) => (sameType(type, there) ? type : STRING))
  const twiceThere = { kind: TWICE_THERE, side: to, where: twice(to), from: part('to_visible_links') }
  const twiceHere = { kind: TWICE_HERE, side: from, where: twice(from), from: part('from_links') }
  const examples = [
    { kind: ORPHAN, side: from, where: orphan, from: met },
    ...(cardinality === 'many-to-many' ? [] : [twiceThere]),
    ...(cardinality === 'one-to-one' ? [twiceHere] : []),
  ].map((rows, i) => subquery(example(rows, shown), `example_${i + 1}`))
  return { totals, targets, examples }
}

const subquery = (query: Select, alias: string): Select =>
  select(
    query.items.map((each) => item(each.alias, column(alias, each.alias, each.type), each.type)),
    { kind: 'subquery', query, alias },
  )

function reportOf(join: Join, names: readonly string[], rows: Awaited<ReturnType<typeof runStatement>>): EdgeReport {
  const { columnsFrom, columnsTo } = equalColumns(join.on)
  const examples = (...kinds: readonly number[]) =>
    rows
      .filter((row) => kinds.includes(numberAt(row, 'example_of')))
      .toSorted((a, b) => numberAt(b, 'n') - numberAt(a, 'n'))
      .slice(0, MOST_EXAMPLES)
      .map((row) => keyAt(row, names))
  const count = (name: string) => numberAt(rows[0], name)
  return {
    from_object: join.from,
    to_object: join.to,
    columns_from: columnsFrom,
    columns_to: columnsTo,
    join_type: join.cardinality,
    path_name: join.pathName ?? null,
    foreign_key: join.foreignKey ? 'declared' : mayBeForeign(join, count) ? 'possible' : 'no',
    rows: count('row_total'),
    without_parent: count('without_parent'),
    missing_parents: count('missing_parents'),
    null_links: count('null_links'),
    duplicate_targets: count('duplicate_targets'),
    duplicate_sources: count('duplicate_sources'),
    examples: examples(ORPHAN),
    duplicate_examples: examples(TWICE_THERE, TWICE_HERE),
  }
}

const mayBeForeign = ({ cardinality }: Join, count: (name: string) => number): boolean =>
  cardinality !== 'many-to-many' && count('without_parent') === 0 && count('row_total') > count('null_links')

const linksOn = (object: string, columns: readonly string[]) =>
  columns.map((name, i) => ({ name: `link_${i + 1}`, expression: { kind: 'column' as const, object, column: name } }))

const sideOf = (alias: string, columns: readonly { readonly name: string; readonly type: DataType }[]): Side => ({
  names: columns.map((c) => c.name),
  types: columns.map((c) => c.type),
  values: columns.map((c) => column(alias, c.name, c.type)),
  n: column(alias, 'n', INT),
})

const twice = ({ values, n }: Side): SqlExpr[] => [...present(values), binary('>', n, integer(1))]

/** Rows of one side that show a fault. */
interface ExampleRows {
  readonly kind: number
  readonly side: Side
  readonly where: readonly SqlExpr[]
  readonly from: Select['from']
}

/** The links that satisfy the conditions, those with the most rows first. */
function example({ kind, side, where, from }: ExampleRows, types: readonly DataType[]): Select {
  const values = zip(side.values, side.types)
  const shown = zip(values, types).map(
    ([[value, own], type]): SqlExpr => (sameType(type, own) ? value : { kind: 'cast', operand: value, type }),
  )
  return select(
    [
      item('example_of', integer(kind), INT),
      ...zip(zip(side.names, shown), types).map(([[name, value], type]) => item(name, value, type)),
      item('n', side.n, INT),
    ],
    from,
    {
      where,
      orderBy: [ordered(side.n, INT, true), ...values.map(([value, type]) => ordered(value, type))],
      limit: MOST_EXAMPLES,
    },
  )
}
