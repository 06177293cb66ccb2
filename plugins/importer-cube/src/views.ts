/** Views → views: members of cubes under the names of the view, along the path of joins that it states. */
import { type Entry, fullName, LeftOut, type Part, type Way, wayOf } from '@grainline/importer-dbt/foreign'
import { type Context, type CubeObject, objectNamed } from './context.js'
import { isPrimary, type View } from './cubes.js'
import { isOn, keyIn, publicIn } from './keys.js'
import { describedBy } from './objects.js'

export function viewsOf(views: readonly View[], context: Context): Readonly<Record<string, Entry>> {
  const written: Record<string, Entry> = {}
  for (const view of views)
    context.draft.attemptNow(`The view '${view.name}'`, view.part.place, () => {
      written[view.name] = viewOf(view, context)
      context.draft.places.push({ path: ['views', view.name], place: view.part.place })
    })
  return written
}

function viewOf({ name, part, cubes }: View, context: Context): Entry {
  const { draft } = context
  if (cubes.length === 0) throw new LeftOut('it shows no cube', part.place, 'Add cubes.')
  const fields = new Map<string, Entry>()
  for (const each of cubes)
    draft.attemptNow(`'${each.text(keyIn(each, 'join_path')) ?? ''}' of the view '${name}'`, each.place, () => {
      for (const field of fieldsOf(name, each, context)) {
        if (fields.has(field.as))
          draft.lose('refused', `'${field.as}' of the view '${name}' is left out: another field has the name.`, each.place, {
            hint: 'Add a prefix or an alias.',
          })
        else fields.set(field.as, field.field === field.as ? { field: field.field } : { ...field })
      }
    })
  if (fields.size === 0) throw new LeftOut('it shows no field', part.place)
  if (publicIn(part) === false) draft.lose('rewritten', `The view '${name}' is not public, and is offered here.`, part.place)
  return { fields: [...fields.values()], ...describedBy({ description: part.text('description'), title: part.text('title') }) }
}

interface Field {
  readonly field: string
  readonly as: string
}

/** A member that a view includes, and its name there. */
interface Included {
  readonly member: string
  readonly as: string
  readonly place: NonNullable<Part['place']>
}

function fieldsOf(view: string, part: Part, context: Context): readonly Field[] {
  const path = part
    .needed(keyIn(part, 'join_path'))
    .split('.')
    .map((word) => objectNamed(word, context))
  const target = path.at(-1)
  if (!target) return []
  if (isOn(part, 'split')) throw new LeftOut('a view of several relations has no place in the model', part.at('split'))
  const way = wayOf(
    path.map(({ name }) => name),
    context.draft.dataObjects,
  )
  const alias = part.text('alias')
  const prefix = isOn(part, 'prefix') ? `${alias ?? target.name}_` : ''
  const excluded = new Set(part.texts('excludes'))
  const included = includedIn(part, target).filter(({ member }) => !excluded.has(member))
  const fields = included.flatMap((each) => fieldOf(view, { ...each, as: `${prefix}${each.as}` }, target, way, context))
  const counted = included.filter(({ member }) => target.measures.has(member))
  if (path.length > 1 && counted.length > 0)
    context.draft.lose(
      'rewritten',
      `Measures of '${target.name}' in the view '${view}' are over all of its rows. In Cube they are over those to which rows of '${path[0]?.name}' lead.`,
      part.place,
    )
  return fields
}

/** All members that are offered, or those in the list. */
function includedIn(part: Part, { cube }: CubeObject): readonly Included[] {
  const place = part.at('includes')
  if (part.value('includes') === '*') {
    const all = [...cube.dimensions, ...cube.measures, ...cube.segments]
    return all.flatMap(([member, each]) => ((publicIn(each) ?? !isPrimary(each)) ? [{ member, as: member, place }] : []))
  }
  if (!part.has('includes')) throw new LeftOut("'includes' is missing", part.place, "Write includes: '*', or a list of members.")
  return part.entries('includes').map((each) => {
    if (typeof each === 'string') return { member: each, as: each, place }
    const member = each.needed('name')
    return { member, as: each.text('alias') ?? member, place: each.place }
  })
}

function fieldOf(
  view: string,
  { member, as, place }: Included,
  target: CubeObject,
  way: Way,
  context: Context,
): readonly Field[] {
  const { draft } = context
  const full = fullName(target, member)
  const what = `'${full}' of the view '${view}'`
  if (target.cube.hierarchies.has(member)) return []
  if (Object.hasOwn(draft.segments, full)) {
    draft.lose('rewritten', `The segment ${what} is asked as '${full}'.`, place)
    return []
  }
  if (Object.hasOwn(draft.measures, full) || Object.hasOwn(draft.metrics, full)) return [{ field: full, as }]
  const dimension = draft.dimensions[full]
  if (!dimension || !Object.hasOwn(draft.dimensions, full)) {
    draft.lose('refused', `${what} is left out: there is no such member in the model.`, place)
    return []
  }
  if (way.via === undefined) return [{ field: full, as }]
  // Another path leads to the same dimension: this one is its value along the path of the view.
  const along = `${view}.${as}`
  const { hierarchy: _levels, hidden: _hidden, ...rest } = dimension
  if (!Object.hasOwn(draft.dimensions, along)) draft.add('dimensions', along, { ...rest, via: way.via }, place)
  draft.lose('rewritten', `${what} is the dimension '${along}', via '${way.via}'.`, place, { path: ['dimensions', along] })
  return [{ field: along, as }]
}

/** The members that views show: they are offered although their cube is not public. */
export function shownBy(views: readonly View[]): (name: string) => boolean {
  const [whole, single] = [new Set<string>(), new Set<string>()]
  for (const { cubes } of views)
    for (const part of cubes) {
      const cube = (part.text(keyIn(part, 'join_path')) ?? '').split('.').at(-1) ?? ''
      if (part.value('includes') === '*') whole.add(cube)
      else
        for (const each of part.entries('includes'))
          single.add(`${cube}.${typeof each === 'string' ? each : each.needed('name')}`)
    }
  return (name) => whole.has(name.split('.')[0] ?? '') || single.has(name)
}
