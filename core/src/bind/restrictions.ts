/** The rows that the policies on a principal leave: for each object the joins to the objects of policies, and what must be true of their rows. */
import { errorCatalog } from '../error-catalog.js'
import { fail } from '../errors.js'
import { equalTerms } from '../model/join-term.js'
import type { Closure, ExistsCondition, Restriction, SemanticModel } from '../model/semantic-model.js'
import { once } from '../once.js'
import type { TimeContext } from '../resolve/clock.js'
import { isNotNull, TRUE } from '../resolve/expressions.js'
import { type Edge, type JoinGraph, joinGraph } from '../resolve/join-graph.js'
import { existsLeaf } from '../resolve/measure-filters.js'
import { modelCondition } from '../resolve/model-condition.js'
import { relationColumn } from '../resolve/relation-column.js'
import { timeContext } from '../resolve/resolve-query.js'
import { objectOf } from '../resolve/resolved-query.js'
import { unlike } from '../same.js'
import type { BindContext } from './bind-context.js'
import { blockColumns } from './block-columns.js'
import type { BoundRestriction, NamedExpr } from './bound-block.js'
import type { BoundMeasured } from './bound-query.js'
import { boundRows } from './bound-rows.js'
import { keptRestriction } from './kept-restriction.js'
import { MeasuredQueries } from './measured-queries.js'
import type { ReadColumn, ReadExpr } from './read-column.js'
import { readExistsFrom } from './read-exists.js'
import { presenceOf, readBeside } from './read-rows.js'
import type { Role } from './role.js'
import { type Rows, roleAt, rowsOf, waysTo } from './rows.js'

/** What a principal may see of the objects of a question. */
export interface Restrictions {
  /** What is left of an object, which is bound when it is first asked for; `undefined` for one of which no policy removes rows. */
  readonly of: (object: string) => BoundRestriction | undefined
  /** The columns over other rows that static filters read in them, as far as objects were asked for. */
  readonly measureColumns: () => readonly BoundMeasured[]
}

/**
 * A row is left only if every way from it ends in a row, and the condition of each policy there is true. All of it is judged on whole tables, by the
 * joins of the model and in its zone: no pin or promise about references counts, and static filters only choose what a join over time finds. `undefined` if
 * no policy removes rows.
 */
export function restrictionsOf(context: Omit<BindContext, 'measuredQueries'>, now: Date): Restrictions | undefined {
  const { restriction } = context.model
  if (!restriction || restriction.rows.length === 0) return undefined
  const { removesFrom } = restriction.whole?.restriction ?? restriction
  const measuredQueries = new MeasuredQueries(context)
  const model = wholeOf(restriction.whole ?? context.model)
  const reads = { ...context, model }
  const whole = once(
    (): BindContext => ({ ...reads, measuredQueries, graph: joinGraph(model, []), time: timeOfModel(model, now) }),
  )
  const known = new Map<string, BoundRestriction>()
  return {
    measureColumns: () => measuredQueries.all,
    of(object) {
      if (!removesFrom.has(object)) return undefined
      const found = known.get(object) ?? keptRestriction(object, reads, (noted) => restrictionOn(object, noted(whole())))
      if (found) known.set(object, found)
      return found
    },
  }
}

/** The clocks of the model, for stored days too: in the zone of a query, its author would choose which rows are left. */
function timeOfModel(model: SemanticModel, now: Date): TimeContext {
  const time = timeContext({}, model, now)
  return { ...time, daysIn: time.zone }
}

/** The model in which no promise about references counts; one value for each view, so that its graph is made once. */
function wholeOf(view: SemanticModel): SemanticModel {
  const known = WHOLE.get(view)
  if (known || !view.restriction) return known ?? view
  const made = { ...view, restriction: { ...view.restriction, removesFrom: new Set(view.dataObjects.keys()) } }
  WHOLE.set(view, made)
  return made
}

const WHOLE = new WeakMap<SemanticModel, SemanticModel>()

/** Throws `ACCESS_ATTRIBUTE_MISSING`: a principal without a value that a policy reads has no answers. */
export function refuseMissing({ restriction }: SemanticModel): void {
  const missing = restriction?.missing ?? []
  if (missing.length === 0) return
  const names = missing.map((name) => `'${name}'`).join(', ')
  fail(
    'ACCESS_ATTRIBUTE_MISSING',
    `The access rules of the model read ${names}, which you do not have, or not as the model declares it`,
    { hint: errorCatalog.ACCESS_ATTRIBUTE_MISSING.fix },
  )
}

function restrictionOn(object: string, context: BindContext): BoundRestriction | undefined {
  const rows = rowsOf(context, object)
  const { closure } = objectOf(context.model, object)
  const ways = waysFrom(rows).filter(([first]) => !closure || !first || !isOwnEnd(first, closure))
  // The pairs are of rows that are left.
  if (closure && ways.length === 0) return undefined
  const where = unlike(ways.flatMap((way) => conditionsOn(rows, way)))
  const { tables, found, named } = blockColumns(where, [])
  const made = new Map(found.map((join) => [join.right.alias, join]))
  return { rows: boundRows(rows, tables, made), where: where.map(named), columns: columnsOf(rows) }
}

/** Whether a pair of a closure leads to one of its rows. A closure has no time, so that joins compare equal columns of it. */
function isOwnEnd({ to, on }: Edge, { dataObject, key }: Closure): boolean {
  const [end, ...more] = equalTerms(on)
  return to === dataObject && more.length === 0 && end?.to === key && ENDS.has(end.from)
}

const ENDS: ReadonlySet<string> = new Set(['Ancestor', 'Descendant'])

/** What must be true at the end of a way: there is a row, and each policy on its object holds. */
function conditionsOn(rows: Rows, way: readonly Edge[]): readonly ReadExpr[] {
  const { context } = rows
  const role = roleAt(rows, way)
  const presence = way.length === 0 ? undefined : presenceOf(rows, role)
  const own = policiesOf(context).filter(({ dataObject }) => dataObject === role.object)
  return [
    ...(presence ? [isNotNull(presence)] : []),
    ...own.map(({ condition }) =>
      modelCondition<ReadColumn>(condition, (ref) => readBeside(rows, role, ref), context, foundAt(rows, role)),
    ),
  ]
}

/** Whether rows are found for the row of a role. */
function foundAt(rows: Rows, role: Role): (test: ExistsCondition) => ReadExpr {
  const subject = { name: role.object, object: role.object, via: undefined, expression: TRUE, type: TRUE.type }
  return (test) => isNotNull<ReadColumn>(readExistsFrom(rows, existsLeaf(subject, test, rows.context, test.path), role))
}

const policiesOf = ({ model }: BindContext): Restriction['rows'] => model.restriction?.rows ?? []

const MOST_WAYS = 200

const WAYS = new WeakMap<JoinGraph, Map<string, readonly (readonly Edge[])[]>>()

/** Kept for the graph, which is one for all questions to a view. */
function waysFrom(rows: Rows): readonly (readonly Edge[])[] {
  const known = WAYS.get(rows.context.graph) ?? new Map<string, readonly (readonly Edge[])[]>()
  WAYS.set(rows.context.graph, known)
  const ways = known.get(rows.node) ?? waysIn(rows)
  known.set(rows.node, ways)
  return ways
}

/**
 * The ways to objects of policies, and from each object on such a way those that its own rows must go: no way leads through a row that is removed. A way does
 * not return to an object.
 */
function waysIn({ context, node }: Rows): readonly (readonly Edge[])[] {
  const ends = new Set(policiesOf(context).map(({ dataObject }) => dataObject))
  const ways = new Map<string, readonly Edge[]>()
  const through = new Map<string, readonly Edge[]>([['', []]])
  for (const way of through.values()) {
    const at = way.at(-1)?.to ?? node
    const passed = new Set([node, ...way.map(({ to }) => to)])
    for (const end of ends) {
      if (!context.graph.reach(at).has(end)) continue
      for (const on of waysTo(rowsOf(context, at), end)) {
        if (on.some(({ to }) => passed.has(to))) continue
        for (const [i] of on.entries()) add(through, [...way, ...on.slice(0, i + 1)], context.graph)
        add(ways, [...way, ...on], context.graph)
      }
    }
    if (through.size > MOST_WAYS)
      fail('POLICY_DOES_NOT_BIND', `More than ${MOST_WAYS} ways lead from '${node}' to objects of policies; make joins secondary`)
  }
  return [...ways.values()]
}

function add(ways: Map<string, readonly Edge[]>, way: readonly Edge[], graph: JoinGraph): void {
  ways.set(way.map((edge) => `${edge.to}\0${graph.placeOf(edge)}`).join('\0'), way)
}

/** The stored columns of an object, as they are stored. */
function columnsOf({ context, root }: Rows): readonly NamedExpr[] {
  const stored = [...objectOf(context.model, root.object).columns.values()].flatMap(({ source, type }) =>
    source.kind === 'physical' ? [{ name: source.code, type, expression: relationColumn(root.alias, source.code, type) }] : [],
  )
  return [...new Map(stored.map((column) => [column.name, column])).values()]
}
