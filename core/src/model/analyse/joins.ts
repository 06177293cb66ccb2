import { entryOf, lastOf } from '../../invariant.js'
import { type DataType, isNumeric, isTemporal } from '../data-type.js'
import type { JoinDocument } from '../document.js'
import { sortGraph } from '../graph.js'
import { equalTerms, pairwiseEqual } from '../join-term.js'
import type { Segments } from '../parse/locate.js'
import type { Join } from '../semantic-model.js'
import { type Context, entriesOf, knowsColumn, knowsObject } from './context.js'
import { asOfTerm, checkAsOf } from './join-as-of.js'
import { checkPeriod, periodTerm } from './join-period.js'

interface Placed {
  readonly join: Join
  readonly segments: Segments
}

/** The joins of every object by name, each valid by itself and all without cycles. */
export function* readJoins(context: Context): Generator<undefined, ReadonlyMap<string, readonly Join[]>> {
  const placed: Placed[] = []
  const joins = new Map<string, readonly Join[]>()
  for (const [object, entry] of entriesOf(context.document.dataObjects)) {
    yield
    if (context.isBroken(['dataObjects', object])) continue
    const sound: Join[] = []
    for (const [i, entered] of (entry.joins ?? []).entries()) {
      yield
      const segments = ['dataObjects', object, 'joins', i]
      if (context.isBroken(segments)) continue
      const join = makeJoin(object, entered, context)
      if (!checkJoin(join, entered, segments, context)) continue
      sound.push(join)
      placed.push({ join, segments })
    }
    joins.set(object, sound)
  }
  checkPathNames(placed, context)
  warnOfSelfJoins(placed, context)
  yield* checkCycles(placed, context)
  return joins
}

function makeJoin(from: string, entry: JoinDocument, context: Context): Join {
  return {
    from,
    to: entry.joinTo,
    cardinality: entry.joinType,
    on: [
      ...pairwiseEqual(entry.columnsFrom, entry.columnsTo),
      ...(entry.during ? [periodTerm(entry.during)] : []),
      ...(entry.asOf ? [asOfTerm(entry, entry.asOf, context)] : []),
    ],
    secondary: entry.secondary ?? false,
    pathName: entry.pathName,
    required: entry.required ?? false,
    foreignKey: entry.foreignKey ?? false,
  }
}

function checkJoin(join: Join, entry: JoinDocument, segments: Segments, context: Context): boolean {
  const { columnsFrom, columnsTo, during, asOf } = entry
  if (join.secondary && !join.pathName) {
    context.faults.error(
      'SECONDARY_JOIN_MISSING_PATH_NAME',
      segments,
      `The secondary join from '${join.from}' to '${join.to}' needs a pathName`,
    )
  }
  if (columnsFrom.length !== columnsTo.length) {
    const message = `columnsFrom lists ${columnsFrom.length} and columnsTo ${columnsTo.length}; they pair up one by one`
    context.faults.error('JOIN_COLUMN_COUNT_MISMATCH', segments, message)
  }
  if (columnsFrom.length === 0 && columnsTo.length === 0 && !during && !asOf) {
    const message = `The join from '${join.from}' to '${join.to}' compares nothing: every row would match every row. List the columns that are equal in columnsFrom and columnsTo`
    context.faults.error('JOIN_COLUMN_COUNT_MISMATCH', [...segments, 'columnsFrom'], message)
  }
  if (join.foreignKey && join.cardinality === 'many-to-many') {
    const message = `The many-to-many join from '${join.from}' to '${join.to}' cannot be a foreignKey: a foreign key refers to one row. Declare it on a many-to-one or one-to-one join`
    context.faults.error('INVALID_SETTING', [...segments, 'foreignKey'], message)
  }
  const from = checkColumns(join.from, columnsFrom, [...segments, 'columnsFrom'], context)
  if (!knowsObject(join.to, [...segments, 'joinTo'], context, { code: 'UNKNOWN_JOIN_TARGET' })) return false
  const to = checkColumns(join.to, columnsTo, [...segments, 'columnsTo'], context)
  const period = during === undefined || checkPeriod(join, during, [...segments, 'during'], context)
  const nearest = asOf === undefined || checkAsOf(join, entry, asOf, [...segments, 'asOf'], context)
  if (from && to) warnOfTypes(join, segments, context)
  return from && to && period && nearest
}

/** Engines compare numbers with numbers and texts with texts; for other pairs some engines return an error, and some find nothing. */
function warnOfTypes({ from, to, on }: Join, segments: Segments, context: Context): void {
  for (const [i, { from: column, to: other }] of equalTerms(on).entries()) {
    const here = context.objects.get(from)?.columns.get(column)?.type
    const there = context.objects.get(to)?.columns.get(other)?.type
    if (here === undefined || there === undefined || familyOf(here) === familyOf(there)) continue
    const message = `'${from}.${column}' is ${here.kind} and '${to}.${other}' is ${there.kind}; most databases refuse to compare them. Give both columns the type that they have in the database`
    context.faults.warn('JOIN_COLUMN_TYPE_MISMATCH', [...segments, 'columnsFrom', i], message)
  }
}

const familyOf = (type: DataType): string => (isNumeric(type) ? 'number' : isTemporal(type) ? 'time' : type.kind)

function checkColumns(object: string, columns: readonly string[], segments: Segments, context: Context): boolean {
  return columns
    .map((column, i) => knowsColumn({ object, column }, [...segments, i], context, { code: 'UNKNOWN_JOIN_COLUMN' }))
    .every(Boolean)
}

function checkPathNames(placed: readonly Placed[], context: Context): void {
  const seen = new Set<string>()
  for (const { join, segments } of placed) {
    if (join.pathName === undefined) continue
    const key = [[join.from, join.to].sort(), join.pathName].flat().join('\0')
    if (seen.has(key)) {
      const message = `Two joins between '${join.from}' and '${join.to}' are called '${join.pathName}'`
      context.faults.error('DUPLICATE_JOIN_PATH_NAME', [...segments, 'pathName'], message)
    }
    seen.add(key)
  }
}

/** No query uses it: nothing says from which of the two rows a field is read. */
function warnOfSelfJoins(placed: readonly Placed[], context: Context): void {
  for (const { join, segments } of placed) {
    if (join.from !== join.to || !join.secondary) continue
    const message = `'${join.pathName}' joins '${join.from}' to itself and no query can pin it; ${secondObject(join)}`
    context.faults.warn('SELF_JOIN', segments, message)
  }
}

const secondObject = ({ from }: Join): string =>
  `declare a second data object on the same table for its other part, and join '${from}' to that`

/** Objects in one-to-one joins count as one group; between groups, many-to-one joins must not form a cycle. */
function* checkCycles(placed: readonly Placed[], context: Context): Generator<undefined> {
  const primary = placed.filter(({ join }) => !join.secondary)
  const group = groupOneToOne(primary.map(({ join }) => join))
  const edges = new Map<string, Placed[]>()
  for (const edge of primary) {
    if (edge.join.cardinality !== 'many-to-one') continue
    const from = group(edge.join.from)
    const known = edges.get(from)
    if (known) known.push(edge)
    else edges.set(from, [edge])
  }
  const { cycles } = yield* sortGraph(edges.keys(), (node) => (edges.get(node) ?? []).map(({ join }) => group(join.to)))
  for (const cycle of cycles) {
    const steps = cycle.map((node, i) => entryOf(edges, node).find(({ join }) => group(join.to) === (cycle[i + 1] ?? cycle[0]))!)
    const last = lastOf(steps)
    context.faults.error('CYCLIC_JOIN', last.segments, circleMessage(steps.map(({ join }) => join)))
  }
}

function circleMessage(joins: readonly Join[]): string {
  const [first] = joins
  if (joins.length === 1 && first?.from === first?.to && first) return `'${first.from}' joins itself; ${secondObject(first)}`
  const circle = [...joins.map((join) => join.from), lastOf(joins).to].map((name) => `'${name}'`).join(' → ')
  return `Primary joins lead in a circle: ${circle}; declare a second data object on the table that has two roles and join to it, or mark one join secondary, so that only queries that pin its path use it`
}

function groupOneToOne(joins: readonly Join[]): (name: string) => string {
  const parents = new Map<string, string>()
  const root = (name: string): string => {
    let current = name
    for (let up = parents.get(current); up !== undefined; up = parents.get(current)) current = up
    return current
  }
  for (const join of joins) {
    if (join.cardinality !== 'one-to-one') continue
    const [a, b] = [root(join.from), root(join.to)]
    if (a !== b) parents.set(a, b)
  }
  return root
}
