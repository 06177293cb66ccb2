import { fail } from '../errors.js'
import { isHiddenName } from '../hidden-name.js'
import { firstOf, itemAt, lastOf, onlyOf, zip } from '../invariant.js'
import { generatedDays } from '../model/calendar-table.js'
import { asOfOf, comparedOf, equalityOf, type Term } from '../model/join-term.js'
import type { DataObject } from '../model/semantic-model.js'
import { type MeasuredValues, originOf, type Path, type Step, stepsAfter } from '../relation/relation.js'
import type { Edge, JoinGraph } from '../resolve/join-graph.js'
import { type RelationColumn, type RowExpr, relationColumn, tablesIn } from '../resolve/relation-column.js'
import { columnOf, objectOf } from '../resolve/resolved-query.js'
import { equal, holds, tablesOn } from '../resolve/row-terms.js'
import type { BoundJoin, BoundRows, Candidates, Scan } from './bound-block.js'
import { dayNumbers } from './generated-days.js'
import { readBesideColumn, readColumn, readTerms } from './read-rows.js'
import { nextRole, type Role, rootRole, wayOf } from './role.js'
import type { Matched, Rows } from './rows.js'
import { staticConditions } from './rows-conditions.js'
import { scanElements } from './scan-elements.js'

/**
 * Rows with the joins that the relations need, in the order of these: each join comes after those that it reads. Relations of other rows are
 * ignored. `made` contains the joins of those that steps make.
 */
export function boundRows(rows: Rows, relations: Iterable<string>, made: ReadonlyMap<string, BoundJoin> = NONE): BoundRows {
  const done = new Set<string>([rows.root.alias])
  const joins: BoundJoin[] = []
  const read = (relation: string, end?: Role): void => {
    if (done.has(relation)) return
    const found = joinTo(rows, relation, { made, end })
    if (!found) return
    done.add(relation)
    for (const other of tablesOn(found.join.on)) read(other, found.end)
    joins.push(found.join)
  }
  for (const { alias } of rows.parts) read(alias)
  for (const relation of relations) read(relation)
  return { start: scanOf(rows, rows.root), joins }
}

const NONE: ReadonlyMap<string, BoundJoin> = new Map()

/** How a relation is joined, and the role at the end of its path, for which the objects on the way are joined. */
interface Joined {
  readonly join: BoundJoin
  readonly end: Role | undefined
}

interface Joining {
  readonly made: ReadonlyMap<string, BoundJoin>
  readonly end: Role | undefined
}

/** `undefined` for a relation of other rows. */
function joinTo(rows: Rows, relation: string, { made, end }: Joining): Joined | undefined {
  const origin = originOf(relation)
  switch (origin.kind) {
    case 'path':
      return pathJoin(rows, origin, end)
    case 'measured':
      return measuredJoin(rows, origin, relation)
    case 'made': {
      const join = origin.within[0] === rows.node ? made.get(relation) : undefined
      return join && { join, end: undefined }
    }
    case 'named':
      return undefined
  }
}

function pathJoin(rows: Rows, path: Path, end: Role | undefined): Joined | undefined {
  const role = roleAtEnd(rows, path)
  return role && { join: joinOf(rows, role, end ?? role), end: end ?? role }
}

/** The join of a column over other rows. */
function measuredJoin(rows: Rows, { path, column }: MeasuredValues, relation: string): Joined | undefined {
  const role = roleAtEnd(rows, path)
  if (!role) return undefined
  const { model, measuredQueries } = rows.context
  const found = measuredQueries.column(role.object, columnOf(model, { kind: 'column', object: role.object, column }))
  const { of, by, keys } = found
  const own = (name: string, i: number): RowExpr =>
    found.kind === 'found' ? readBesideColumn(rows, role, name, itemAt(found.beside, i)).expression : readColumn(rows, role, name)
  const on = zip(by, keys).map(([name, theirs], i) =>
    equal<RelationColumn>(own(name, i), relationColumn(relation, theirs.name, theirs.type)),
  )
  const reason = `the values of '${column}', by columns of '${role.object}'`
  const label = { from: role.object, to: '', columns: by, reason }
  return { join: { right: { kind: 'measured', of, alias: relation }, on, type: 'left', label }, end: undefined }
}

/** The role at the end of a path; `undefined` if these rows do not have it. */
function roleAtEnd(rows: Rows, path: Path): Role | undefined {
  const roots = [...rows.matched.map(({ role }) => role).toReversed(), rows.root]
  for (const root of roots) {
    const steps = stepsAfter(path, root.path)
    if (steps) return steps.reduce<Role | undefined>((role, step) => role && roleAfter(rows, role, step), root)
  }
  return undefined
}

function roleAfter({ context: { graph }, isBase }: Rows, role: Role, { to, by }: Step): Role | undefined {
  const edge = typeof by === 'number' ? graph.edgesBetween(role.object, to)[by - 1] : undefined
  return edge && nextRole(role, edge, graph, isBase)
}

/** The join of a role on the path to `end`, which is the reason for the join. */
function joinOf(rows: Rows, role: Role, end: Role): BoundJoin {
  if (role.from) return forwardJoin(rows, role, role.from, end)
  return matchingJoin(rows, onlyOf(rows.matched.filter((one) => one.role === role)))
}

function matchingJoin(rows: Rows, { role, from, on, reason }: Matched): BoundJoin {
  const label = { from: from.object, to: role.object, columns: comparedOf(on, 'from'), reason }
  return { type: 'inner', label, ...foundFrom(rows, { role, from, on }, asOfOf(on) !== undefined) }
}

function forwardJoin(rows: Rows, role: Role, from: Role, end: Role): BoundJoin {
  const edge = lastOf(role.edges)
  const label = {
    from: edge.from,
    to: edge.to,
    columns: comparedOf(edge.on, 'from'),
    role: role.alias,
    way: wayOf(role),
    reason: reasonOf(edge, end, rows.context.graph),
  }
  const type = role.whole && edge.required ? 'inner' : 'left'
  const isOverTime = edge.on.some(({ kind }) => kind !== 'equal')
  return { type, label, ...foundFrom(rows, { role, from, on: edge.on }, isOverTime), ...matchedBy(rows, role, from) }
}

interface Finding {
  readonly role: Role
  readonly from: Role
  readonly on: readonly Term<string>[]
}

/** The joined rows and how they are found. Over time, static filters choose among them, so that a row which would find only hidden ones finds none. */
function foundFrom(rows: Rows, { role, from, on }: Finding, isChosen: boolean): Pick<BoundJoin, 'right' | 'on'> {
  const terms = readTerms(rows, on, { from, to: role })
  const candidates = isChosen ? candidatesOf(rows, role) : undefined
  if (!candidates) return { right: scanOf(rows, role), on: terms }
  const isOwn = candidates.where.every((one) => tablesIn(one).every((table) => table === role.alias))
  return isOwn
    ? { right: scanOf(rows, role), on: [...terms, ...candidates.where.map((one) => holds(one))] }
    : { right: candidates, on: terms }
}

/** The rows that static filters leave of an object, by themselves and by what they reach. */
function candidatesOf({ context }: Rows, { path, object, alias }: Role): Candidates {
  const rows: Rows = { context, node: object, isBase: false, root: rootRole(path, object), parts: [], matched: [] }
  const where = staticConditions(rows)
  return { kind: 'candidates', rows: boundRows(rows, where.flatMap(tablesIn)), where, alias }
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

function scanOf({ context: { model, time, measuredQueries } }: Rows, { object: name, alias }: Role): Scan {
  if (isHiddenName(name)) refuseHidden()
  const object = objectOf(model, name)
  if (object.nestedIn) return scanElements(object, object.nestedIn, alias, model)
  if (object.closure) measuredQueries.closure(name, object.closure)
  const generated = generatedDays(object)
  if (generated) return { kind: 'scan', object: name, source: object.source, alias, days: dayNumbers(name, generated, time) }
  const key = object.key.flatMap((column) => physicalName(object, column) ?? [])
  return { kind: 'scan', object: name, source: object.source, alias, ...(key.length > 0 && { key }) }
}

/** Access rules read hidden objects by their own names, so that only a query comes here. */
const refuseHidden = (): never =>
  fail('NO_JOIN_PATH', 'Fields of the query are connected only by rows that the access rules of the model hide')

function physicalName({ columns }: DataObject, name: string): string | undefined {
  const source = columns.get(name)?.source
  return source?.kind === 'physical' ? source.code : undefined
}
