/** Explores: the names of their views, their joins, and a view of the model for each. */
import {
  type Draft,
  type Entry,
  fullName,
  LeftOut,
  type Part,
  Refused,
  type SqlReader,
  type Way,
  wayOf,
} from '@grainline/importer-dbt/foreign'
import { rowsOf } from './columns.js'
import { type Context, type Role, roleNamed } from './context.js'
import { fieldsOf } from './field-sets.js'
import { joinOf } from './joins.js'
import { isOn } from './keys.js'
import { described, roleOf } from './objects.js'
import { expressionOf } from './references.js'
import { identifier, type LookView } from './views.js'

/** An explore, and the names under which it has views. */
export interface Explore {
  readonly name: string
  readonly part: Part
  readonly base: Named
  readonly joins: readonly Named[]
}

interface Named {
  /** As the fields of the explore are called. */
  readonly as: string
  readonly view: string
  readonly part: Part
}

export function exploresOf(root: Part): readonly Explore[] {
  return root.parts('explore').map((part) => {
    const name = identifier(part)
    part.texts('extends')
    const as = part.text('view_name') ?? name
    const base = { as, view: part.text('from') ?? as, part }
    const joins = part.parts('join').map((join) => {
      const own = identifier(join)
      return { as: own, view: join.text('from') ?? own, part: join }
    })
    const names = [base, ...joins].map((each) => each.as)
    const twice = joins.find((each) => names.filter((other) => other === each.as).length > 1)
    if (twice)
      throw new Refused(
        `There are two views '${twice.as}' in the explore '${name}'.`,
        twice.part.place,
        "Give one of them another name, with 'from'.",
      )
    return { name, part, base, joins }
  })
}

/** The data objects: each view under each name that an explore gives it, and those of no explore. */
export function rolesOf(
  views: ReadonlyMap<string, LookView>,
  explores: readonly Explore[],
  draft: Draft,
  sql: SqlReader,
): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>()
  const tried = new Map<string, string>()
  const used = new Set<string>()
  for (const { base, joins } of explores)
    for (const { as, view, part } of [base, ...joins]) {
      used.add(view)
      if (tried.has(as)) continue
      tried.set(as, view)
      draft.attemptNow(`The view '${as}'`, part.place, () => {
        const found = views.get(view)
        if (!found) throw new LeftOut(`the text does not declare '${view}'`, part.place, 'Convert the folder with all views.')
        roles.set(as, roleOf(as, found, draft, sql))
      })
    }
  for (const view of views.values()) {
    if (used.has(view.name) || tried.has(view.name)) continue
    draft.attemptNow(`The view '${view.name}'`, view.part.place, () => roles.set(view.name, roleOf(view.name, view, draft, sql)))
  }
  return roles
}

/** An explore whose joins are written, with the path to each of its views. */
export interface Joined {
  readonly explore: Explore
  readonly paths: ReadonlyMap<string, readonly string[]>
}

export function joinsOf(explores: readonly Explore[], context: Context): readonly Joined[] {
  return explores.flatMap((explore): readonly Joined[] => {
    const paths = new Map<string, readonly string[]>()
    context.draft.attemptNow(`The explore '${explore.name}'`, explore.part.place, () => {
      refuseWhole(explore)
      paths.set(explore.base.as, [explore.base.as])
      const base = roleIn(explore.base, context)
      for (const named of explore.joins)
        context.draft.attemptNow(`The join of '${named.as}' in the explore '${explore.name}'`, named.part.place, () => {
          const other = joinOf(explore.name, base, roleIn(named, context), named.part, context)
          const before = paths.get(other.name)
          if (!before) throw new LeftOut(`'${other.name}' is not joined before it`, named.part.place)
          paths.set(named.as, [...before, named.as])
        })
    })
    return paths.size > 0 ? [{ explore, paths }] : []
  })
}

function roleIn({ as, view, part }: Named, context: Context): Role {
  const role = roleNamed(as, context)
  if (role.view.name !== view)
    throw new LeftOut(
      `'${as}' is the view '${role.view.name}' in another explore, and '${view}' here`,
      part.place,
      'Give one of them another name.',
    )
  return role
}

function refuseWhole({ part }: Explore): void {
  if (part.has('sql_always_having'))
    throw new LeftOut('its sql_always_having is a condition on the groups of every question', part.at('sql_always_having'))
  if (part.text('symmetric_aggregates') === 'no')
    throw new LeftOut(
      'it counts rows as often as joins repeat them',
      part.at('symmetric_aggregates'),
      'Here each row counts once.',
    )
}

/** Views of the model. */
export function shownOf(joined: readonly Joined[], context: Context): Readonly<Record<string, Entry>> {
  const written: Record<string, Entry> = {}
  for (const each of joined) {
    const { name, part } = each.explore
    context.draft.attemptNow(`The explore '${name}'`, part.place, () => {
      const entry = viewOf(each, context)
      Object.defineProperty(written, name, { value: entry, enumerable: true, configurable: true, writable: true })
      context.draft.places.push({ path: ['views', name], place: part.place })
    })
  }
  return written
}

function viewOf({ explore, paths }: Joined, context: Context): Entry {
  const { name, part, base, joins } = explore
  const where = conditionOf(explore, context)
  const listed = [base, ...joins].filter(({ as }) => paths.has(as))
  const fields = listed.flatMap(({ as, part: own }): readonly Entry[] => {
    const role = roleNamed(as, context)
    const path = paths.get(as) ?? []
    const members = fieldsOf(role, own === part ? undefined : own, part, context)
    const found: Entry[] = []
    context.draft.attemptNow(`'${as}' of the explore '${name}'`, own.place, () => {
      const way = wayOf(path, context.draft.dataObjects)
      found.push(...members.flatMap((member) => fieldOf(name, member, role, way, own, context)))
    })
    if (path.length > 1 && members.some((member) => role.view.measures.has(member)))
      context.draft.lose(
        'rewritten',
        `Measures of '${as}' in the explore '${name}' are over all of its rows. In Looker they are over those to which rows of '${base.as}' lead.`,
        own.place,
      )
    return found
  })
  if (fields.length === 0) throw new LeftOut('it shows no field', part.place)
  if (isOn(part, 'hidden')) context.draft.lose('rewritten', `The explore '${name}' is hidden, and is offered here.`, part.place)
  return { fields, ...where, ...described(part) }
}

function fieldOf(explore: string, member: string, role: Role, { via }: Way, part: Part, { draft }: Context): readonly Entry[] {
  const full = fullName(role, member)
  if (Object.hasOwn(draft.measures, full) || Object.hasOwn(draft.metrics, full)) return [{ field: full, as: full }]
  const dimension = Object.hasOwn(draft.dimensions, full) ? draft.dimensions[full] : undefined
  if (!dimension) return []
  if (via === undefined) return [{ field: full, as: full }]
  // Another path leads to the same dimension: this one is its value along the path of the explore.
  const along = `${explore}: ${full}`
  const { hidden: _hidden, ...rest } = dimension
  draft.add('dimensions', along, { ...rest, via }, part.place)
  draft.lose('rewritten', `'${full}' of the explore '${explore}' is the dimension '${along}', via '${via}'.`, part.place, {
    path: ['dimensions', along],
  })
  return [{ field: along, as: full }]
}

/** A condition on every question of the explore: that of the view. */
function conditionOf({ name, part, base }: Explore, context: Context): Entry {
  if (!part.has('sql_always_where')) return {}
  const role = roleNamed(base.as, context)
  const expression = expressionOf(part, 'sql_always_where', role, rowsOf(context), context, 'boolean')
  const column = `${name} (always)`
  // A condition that is none is an error of this column, which has a place.
  role.columns[column] = { expression: `(${expression} AND TRUE)` }
  context.draft.places.push({ path: ['dataObjects', role.name, 'columns', column], place: part.at('sql_always_where') })
  context.draft.add('dimensions', column, { dataObject: role.name, column, hidden: true }, part.place)
  context.draft.noteDivision(expression, name, part.at('sql_always_where'))
  context.draft.lose(
    'rewritten',
    `The sql_always_where of '${name}' holds in the view '${name}'. A question without this view sees all rows.`,
    part.at('sql_always_where'),
  )
  return { where: [{ field: column, op: '=', value: true }] }
}
