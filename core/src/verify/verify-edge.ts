import { firstOf, zip } from '../invariant.js'
import { BOOLEAN, type DataType, INT, STRING, sameType } from '../model/data-type.js'
import { asOfOf, comparedOf, equalityOf, mapTerm, type PeriodReading, type Term } from '../model/join-term.js'
import type { Join } from '../model/semantic-model.js'
import { allOf, binary, integer, isNull } from '../resolve/expressions.js'
import type { Typed } from '../resolve/in-clocks.js'
import { clocksOfPeriod, comparable, comparableTimes, nearEnough } from '../resolve/in-period.js'
import { conditionOf } from '../resolve/row-terms.js'
import type { From, Select, SqlExpr, SqlLeaf, Statement } from '../sql/statement.js'
import { baseRows } from './base-rows.js'
import type { EdgeReport } from './report.js'
import { keyAt, numberAt, runStatement } from './run-statement.js'
import {
  ALWAYS,
  aggregate,
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
  /** Those without which a link finds nothing. */
  readonly needed: readonly SqlExpr[]
  readonly n: SqlExpr
}

/** One statement: the links of the rows here joined with those of the rows there, their totals, and examples. */
export async function verifyEdge(join: Join, given: VerifyContext): Promise<EdgeReport> {
  const context = { ...given, time: clocksOf(join, given) }
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

/** A period is compared by the clocks of its join. */
function clocksOf({ on }: Join, { model, time }: VerifyContext): VerifyContext['time'] {
  const readings = on.flatMap((term): readonly Pick<PeriodReading, 'zone'>[] => {
    if (term.kind === 'as-of') return [term]
    return term.kind === 'within' && term.reading ? [term.reading] : []
  })
  const [reading] = readings
  return reading ? clocksOfPeriod(reading, model.settings, time) : time
}

/** The values by which the rows of both sides are joined, each with its number of rows, and how they find each other. */
interface Links {
  /** The links here, each once. */
  readonly from: Side
  readonly met: From
  readonly orphan: readonly SqlExpr[]
  readonly twiceThere: Omit<ExampleRows, 'kind'>
  /** The types of links as examples show them. */
  readonly types: readonly DataType[]
  readonly ctes: Statement['ctes']
}

function linksOf(join: Join, context: VerifyContext): Links {
  const [columnsFrom, columnsTo] = [comparedOf(join.on, 'from'), comparedOf(join.on, 'to')]
  const here = baseRows({ object: join.from, name: 'from_rows', wanted: linksOn(join.from, columnsFrom) }, context)
  // A row there that a filter of the model hides is hidden by that filter, not missing.
  const there = baseRows({ object: join.to, name: 'to_rows', wanted: linksOn(join.to, columnsTo), all: true }, context)
  const visible = baseRows({ object: join.to, name: 'to_visible', wanted: linksOn(join.to, columnsTo) }, context)
  const sides = { from: here.columns, known: there.columns, to: visible.columns }
  const matching = (equalityOf(join.on) ? byEquality : byIntervals)(join.on, sides, context)
  const ties = asOfOf(join.on) ? sideOf('to_visible_links', visible.columns) : undefined
  return {
    ...matching,
    ...(ties && { twiceThere: { side: ties, where: twice(ties), from: part('to_visible_links') } }),
    ctes: [
      ...here.ctes,
      ...there.ctes,
      ...visible.ctes,
      { name: 'from_links', query: counted('from_rows', here.columns) },
      { name: 'to_links', query: counted('to_rows', there.columns) },
      { name: 'to_visible_links', query: counted('to_visible', visible.columns) },
      ...matching.ctes,
    ],
  }
}

/** The totals of both sides, and rows that show a fault. */
function factsOf({ cardinality }: Join, { from, met, orphan, twiceThere, types }: Links) {
  const lacking = from.needed.length === 0 ? integer(0) : sumWhere(from.n, [anyNull(from.needed)])
  const totals = select(
    [
      item('row_total', sumWhere(from.n, []), INT),
      item('null_links', lacking, INT),
      item('without_parent', sumWhere(from.n, orphan), INT),
      item('missing_parents', sumWhere(integer(1), orphan), INT),
      item('duplicate_sources', sumWhere(integer(1), twice(from)), INT),
    ],
    met,
  )
  const targets = select([item('duplicate_targets', sumWhere(integer(1), twiceThere.where), INT)], twiceThere.from)
  const examples = [
    { kind: ORPHAN, side: from, where: orphan, from: met },
    ...(cardinality === 'many-to-many' ? [] : [{ kind: TWICE_THERE, ...twiceThere }]),
    ...(cardinality === 'one-to-one' ? [{ kind: TWICE_HERE, side: from, where: twice(from), from: met }] : []),
  ].map((rows, i) => subquery(example(rows, types), `example_${i + 1}`))
  return { totals, targets, examples }
}

const subquery = (query: Select, alias: string): Select =>
  select(
    query.items.map((each) => item(each.alias, column(alias, each.alias, each.type), each.type)),
    { kind: 'subquery', query, alias },
  )

function reportOf(join: Join, names: readonly string[], rows: Awaited<ReturnType<typeof runStatement>>): EdgeReport {
  const [columnsFrom, columnsTo] = [comparedOf(join.on, 'from'), comparedOf(join.on, 'to')]
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
    ...(asOfOf(join.on)
      ? { duplicate_targets: 0, ties: count('duplicate_targets') }
      : { duplicate_targets: count('duplicate_targets') }),
    duplicate_sources: count('duplicate_sources'),
    examples: examples(ORPHAN),
    duplicate_examples: examples(TWICE_THERE, TWICE_HERE),
  }
}

const mayBeForeign = ({ cardinality }: Join, count: (name: string) => number): boolean =>
  cardinality !== 'many-to-many' && count('without_parent') === 0 && count('row_total') > count('null_links')

/** The links of both sides, and those there without static filters. */
interface Sides {
  readonly from: Columns
  readonly known: Columns
  readonly to: Columns
}

type Columns = readonly { readonly name: string; readonly type: DataType }[]

/** A link here finds the same link there. */
function byEquality(on: Join['on'], sides: Sides, context: VerifyContext): Links {
  const from = sideOf('from_links', sides.from)
  const known = sideOf('to_links', sides.known)
  const to = sideOf('to_visible_links', sides.to)
  return {
    from,
    met: leftJoin(part('from_links'), part('to_links'), matches(on, from, known, context)),
    orphan: [...present(from.values), isNull(known.n)],
    twiceThere: { side: to, where: twice(to), from: part('to_visible_links') },
    types: zip(from.types, to.types).map(([type, there]) => (sameType(type, there) ? type : STRING)),
    ctes: [],
  }
}

/** A link here may find several links there, such as intervals that overlap, so that it is counted once for all of them. */
function byIntervals(on: Join['on'], sides: Sides, context: VerifyContext): Links {
  const found = (name: string, there: string, columns: Columns): Statement['ctes'][number] => {
    const [here, other] = [sideOf('from_links', sides.from), sideOf(there, columns)]
    const own = [...sides.from, { name: 'n', type: INT }].map((c) => item(c.name, column('from_links', c.name, c.type), c.type))
    const rows = leftJoin(part('from_links'), part(there), matches(on, here, other, context))
    const all = [...own, item('found', aggregate('sum', [other.n], INT), INT)]
    return { name, query: select(all, rows, { groupBy: own.map(({ expression }) => expression) }) }
  }
  const [from, shown] = ['met', 'met_visible'].map((name) => {
    const side = sideOf(name, sides.from)
    return { ...side, needed: neededOf(on, side), found: column(name, 'found', INT) }
  })
  return {
    from: from!,
    met: part('met'),
    orphan: [...present(from!.needed), isNull(from!.found)],
    twiceThere: { side: shown!, where: [binary('>', shown!.found, integer(1))], from: part('met_visible') },
    types: from!.types,
    ctes: [found('met', 'to_links', sides.known), found('met_visible', 'to_visible_links', sides.to)],
  }
}

/** The condition by which a link of one side finds one of the other. */
function matches(on: Join['on'], from: Side, to: Side, { time }: VerifyContext): SqlExpr {
  const taken = { from: zip(from.values, from.types), to: zip(to.values, to.types) }
  // The columns of a side are in the order of the terms.
  const next = (side: 'from' | 'to') => () => {
    const [expression, type] = taken[side].shift() ?? [ALWAYS, BOOLEAN]
    return { expression, type }
  }
  const plain = ({ expression }: { readonly expression: SqlExpr }) => expression
  const terms = on.map((term) =>
    mapTerm(inClocks(mapTerm(term, { from: next('from'), to: next('to') }), time), { from: plain, to: plain }),
  )
  const near = zip(terms, on).flatMap(([term], at) => {
    const type = to.types[at]
    return term.kind === 'as-of' && type ? (nearEnough(term, { value: term.value, at: term.at }, type) ?? []) : []
  })
  return allOf([...(conditionOf(terms) ? [conditionOf(terms)!] : []), ...near]) ?? ALWAYS
}

type TypedTerm = Term<Typed<SqlLeaf>>

/** A term whose values are of one type, by the clocks of the join. */
function inClocks(term: TypedTerm, time: VerifyContext['time']): TypedTerm {
  if (term.kind === 'as-of') return comparableTimes(term, time)
  return term.kind === 'within' ? comparable(term, time) : term
}

/** The values of the links here without which they find nothing: all but bounds that may be open. */
function neededOf(on: Join['on'], { values }: Side): readonly SqlExpr[] {
  const isNeeded = on.flatMap((term) => {
    if (term.kind === 'equal' || term.kind === 'as-of' || term.interval === 'to') return [true]
    return [!term.start.isOpen, !term.end.isOpen]
  })
  return values.filter((_, at) => isNeeded[at])
}

const linksOn = (object: string, columns: readonly string[]) =>
  columns.map((name, i) => ({ name: `link_${i + 1}`, expression: { kind: 'column' as const, object, column: name } }))

function sideOf(alias: string, columns: Columns): Side {
  const values = columns.map((c) => column(alias, c.name, c.type))
  return {
    names: columns.map((c) => c.name),
    types: columns.map((c) => c.type),
    values,
    needed: values,
    n: column(alias, 'n', INT),
  }
}

const twice = ({ needed, n }: Side): SqlExpr[] => [...present(needed), binary('>', n, integer(1))]

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
