import { firstOf, lastOf, onlyOf, zip } from '../invariant.js'
import { generatedDays } from '../model/calendar-table.js'
import { comparedOf, equalityOf } from '../model/join-term.js'
import type { DataObject } from '../model/semantic-model.js'
import type { Edge, JoinGraph } from '../resolve/join-graph.js'
import { type RelationColumn, relationColumn, tablesIn } from '../resolve/relation-column.js'
import { columnOf, objectOf } from '../resolve/resolved-query.js'
import { equal, holds, type RowTerm, tablesOn } from '../resolve/row-terms.js'
import { isAmong, measuredAt, roleName } from './block-names.js'
import type { BoundJoin, BoundRows, Scan } from './bound-block.js'
import { dayNumbers } from './generated-days.js'
import { modelCondition } from './model-condition.js'
import { readBeside, readColumn, readTerms } from './read-rows.js'
import { nextRole, type Role, wayOf } from './role.js'
import type { Matched, Rows } from './rows.js'
import { scanElements } from './scan-elements.js'

/**
 * Rows with the joins that the named relations need, in the order of these names: each join comes after those that it reads. Names of other rows
 * are ignored. `made` contains derived relations by their names.
 */
export function boundRows(rows: Rows, tables: Iterable<string>, made: ReadonlyMap<string, BoundJoin> = NONE): BoundRows {
  const done = new Set([rows.root.alias])
  const joins: BoundJoin[] = []
  const join = (joined: BoundJoin, end?: Role): void => {
    for (const table of tablesOn(joined.on)) read(table, end)
    joins.push(joined)
  }
  const read = (table: string, end?: Role): void => {
    if (done.has(table) || !isAmong(table, rows.name)) return
    const known = made.get(table) ?? measuredJoin(rows, table)
    const role = known ? undefined : roleNamed(rows, table)
    if (!known && !role) return
    done.add(table)
    if (known) join(known)
    if (role) join(joinOf(rows, role, end ?? role), end ?? role)
  }
  for (const { alias } of rows.parts) read(alias)
  for (const table of tables) read(table)
  return { start: scanOf(rows, rows.root), joins }
}

const NONE: ReadonlyMap<string, BoundJoin> = new Map()

/** The join of a measure that is a column of a role, by the key of its object. */
function measuredJoin(rows: Rows, table: string): BoundJoin | undefined {
  const at = measuredAt(table)
  const role = at && roleNamed(rows, at.role)
  if (!role) return undefined
  const { context } = rows
  const { key } = objectOf(context.model, role.object)
  const { of, keys } = context.measured.column(
    role.object,
    columnOf(context.model, { ...COLUMN, object: role.object, column: at.column }),
  )
  const on = zip(key, keys).map(([name, theirs]) =>
    equal<RelationColumn>(readColumn(rows, role, name), relationColumn(table, theirs.name, theirs.type)),
  )
  const label = {
    from: role.object,
    to: '',
    columns: key,
    reason: `the values of '${at.column}', by the key of '${role.object}'`,
  }
  return { right: { kind: 'measured', of, alias: table }, on, type: 'left', label }
}

const COLUMN = { kind: 'column' } as const

/** The role of a name; `undefined` if it is not a role of these rows. */
function roleNamed(rows: Rows, name: string): Role | undefined {
  const roots = [...rows.matched.map(({ role }) => role).toReversed(), rows.root]
  const root = roots.find(({ alias }) => isAmong(name, alias))
  return root && roleBehind(rows, root, name)
}

/** The role of a name that begins with that of another role, by the joins from there. */
function roleBehind(rows: Rows, role: Role, name: string): Role | undefined {
  if (role.alias === name) return role
  const { graph } = rows.context
  const next = graph.edges(role.object).find((edge) => isAmong(name, roleName(role.alias, edge.to, graph.placeOf(edge))))
  return next && roleBehind(rows, nextRole(role, next, graph, rows.isBase), name)
}

/** The join of a role on the path to `end`, which is the reason for the join. */
function joinOf(rows: Rows, role: Role, end: Role): BoundJoin {
  if (role.from) return forwardJoin(rows, role, role.from, end)
  return matchingJoin(rows, onlyOf(rows.matched.filter((one) => one.role === role)))
}

function matchingJoin(rows: Rows, { role, from, on, reason }: Matched): BoundJoin {
  const label = { from: from.object, to: role.object, columns: comparedOf(on, 'from'), reason }
  return { right: scanOf(rows, role), on: readTerms(rows, on, { from, to: role }), type: 'inner', label }
}

function forwardJoin(rows: Rows, role: Role, from: Role, end: Role): BoundJoin {
  const edge = lastOf(role.edges)
  const on = [...readTerms(rows, edge.on, { from, to: role }), ...candidatesOf(rows, role, edge)]
  const label = {
    from: edge.from,
    to: edge.to,
    columns: comparedOf(edge.on, 'from'),
    role: role.alias,
    way: wayOf(role),
    reason: reasonOf(edge, end, rows.context.graph),
  }
  const type = role.whole && edge.required ? 'inner' : 'left'
  return { right: scanOf(rows, role), on, type, ...matchedBy(rows, role, from), label }
}

/** Static filters of the target choose the periods that may hold, so that a row which finds only hidden ones finds none. */
function candidatesOf(rows: Rows, role: Role, { on, to }: Edge): readonly RowTerm[] {
  if (on.every(({ kind }) => kind === 'equal')) return []
  const { model } = rows.context
  const conditions = model.filters
    .filter(({ dataObject }) => dataObject === to)
    .map(({ condition }) => modelCondition(condition, (ref) => readBeside(rows, role, ref), rows.context))
  return conditions.filter((one) => tablesIn(one).every((table) => table === role.alias)).map((one) => holds(one))
}

function matchedBy(rows: Rows, role: Role, from: Role): Pick<BoundJoin, 'matchedBy'> {
  const { foreignKey, on } = lastOf(role.edges)
  const equal = foreignKey ? equalityOf(on) : undefined
  if (!equal) return {}
  const own = role.whole ? [] : equal.map((one) => readColumn(rows, from, one.from))
  const columns = own.filter((one) => one.kind === 'column')
  return columns.length === own.length ? { matchedBy: columns } : {}
}

function reasonOf(edge: Edge, end: Role, graph: JoinGraph): string {
  const rule = edge.pathName === undefined ? 'the join by the path rule' : `the join named '${edge.pathName}'`
  const reason = `${rule}${gaveWay(edge, soughtBy(edge, end, graph), graph)}`
  return edge.required ? `${reason}, required` : reason
}

/** The target of the path rule when it took an edge: the end of the path, if the rule chose all of it. */
const soughtBy = (edge: Edge, end: Role, graph: JoinGraph): string =>
  edge.to === end.object || isByRule(end, graph) ? end.object : edge.to

function isByRule({ object, edges }: Role, graph: JoinGraph): boolean {
  const path = graph.path(firstOf(edges).from, object)
  return path.kind === 'path' && path.edges.length === edges.length && path.edges.every((edge, i) => edge === edges[i])
}

/** The other paths to the target, which the rule rejected when it took this edge. */
function gaveWay(edge: Edge, sought: string, graph: JoinGraph): string {
  const others = graph.alternatives(edge, sought).map((o) => `'${o}'`)
  return others.length === 0 ? '' : `; ${others.join(' and ')} would lead to '${sought}', too`
}

function scanOf({ context: { model, time } }: Rows, { object: name, alias }: Role): Scan {
  const object = objectOf(model, name)
  if (object.nestedIn) return scanElements(object, object.nestedIn, alias, model)
  const generated = generatedDays(object)
  if (generated) return { kind: 'scan', object: name, source: object.source, alias, days: dayNumbers(name, generated, time) }
  const key = object.key.flatMap((column) => physicalName(object, column) ?? [])
  return { kind: 'scan', object: name, source: object.source, alias, ...(key.length > 0 && { key }) }
}

function physicalName({ columns }: DataObject, name: string): string | undefined {
  const source = columns.get(name)?.source
  return source?.kind === 'physical' ? source.code : undefined
}
