/** Cubes → data objects, and their dimensions. */
import { type Draft, type Entry, emptyOwner, fullName, LeftOut, type Part, tableOf } from '@grainline/importer-dbt/foreign'
import { columnOf, grainOf } from './columns.js'
import type { Context, CubeObject } from './context.js'
import { type Cube, isPrimary } from './cubes.js'
import { publicIn } from './keys.js'

export function objectsOf(cubes: Iterable<Cube>, draft: Draft): ReadonlyMap<string, CubeObject> {
  const objects = new Map<string, CubeObject>()
  for (const cube of cubes)
    draft.attemptNow(`The cube '${cube.name}'`, cube.place, () => {
      objects.set(cube.name, objectOf(cube, draft))
    })
  return objects
}

function objectOf(cube: Cube, draft: Draft): CubeObject {
  const { name, place, measures } = cube
  const owner = emptyOwner(name, place, { ...sourceOf(cube, draft), ...describedBy(cube) }, measures)
  draft.add('dataObjects', name, owner.entry, place)
  return { ...owner, cube }
}

const WHOLE = /^select\s{1,99}\*\s{1,99}from\s{1,99}(\S.*)$/is

/** The table of a cube. Its query may be all of a table. */
function sourceOf({ name, table, query, sourcePlace }: Cube, draft: Draft): Entry {
  if (table !== undefined && query !== undefined)
    throw new LeftOut('it has sql_table and sql', sourcePlace, 'Remove one of them.')
  if (table === undefined && query === undefined) throw new LeftOut('it has neither sql_table nor sql', sourcePlace)
  const path = table ?? WHOLE.exec(query?.trim().replace(/;$/, '').trim() ?? '')?.[1]
  const found = path === undefined ? undefined : tableOf(path.trim())
  if (!found)
    throw new LeftOut(
      'its sql is a query, and no table',
      sourcePlace,
      'Create a view with this query in the database, and write sql_table.',
    )
  if (table === undefined) draft.lose('rewritten', `The query of '${name}' is its table.`, sourcePlace)
  return found
}

export function describedBy({
  description,
  title,
}: {
  readonly description: string | undefined
  readonly title: string | undefined
}): Entry {
  return { ...(description?.trim() && { description: description.trim() }), ...(title?.trim() && { synonyms: [title.trim()] }) }
}

export const described = (part: Part): Entry => describedBy({ description: part.text('description'), title: part.text('title') })

/** Keys first: joins and columns of measures need them. `isShown` tells the members that a view shows. */
export function dimensionsOf(context: Context, isShown: (name: string) => boolean): void {
  for (const object of context.owners.values())
    for (const [name, part] of object.cube.dimensions) {
      const full = fullName(object, name)
      context.draft.attemptNow(`The dimension '${full}'`, part.place, () => {
        const time = grainOf(part, object, context)
        const column = columnOf(time?.member ?? name, object, context)
        if (isPrimary(part)) Object.assign(object.columns[column] ?? {}, { primaryKey: true })
        const isHidden = !(publicIn(part) ?? (!isPrimary(part) && (object.cube.isPublic || isShown(full))))
        const entry = {
          dataObject: object.name,
          column,
          ...(time && { timeGrain: time.grain }),
          ...(isHidden && { hidden: true }),
          ...described(part),
        }
        context.draft.add('dimensions', full, entry, part.place)
      })
    }
}

/** Hierarchies: each level knows those above it. */
export function hierarchiesOf(context: Context): void {
  const { draft, owners } = context
  for (const object of owners.values())
    for (const [name, part] of object.cube.hierarchies)
      draft.attemptNow(`The hierarchy '${fullName(object, name)}'`, part.place, () => {
        const levels = part.texts('levels').map((level) => {
          const full = level.includes('.') ? level.replace(/^CUBE\./, `${object.name}.`) : fullName(object, level)
          if (!Object.hasOwn(draft.dimensions, full)) throw new LeftOut(`there is no dimension '${level}'`, part.at('levels'))
          return full
        })
        if (new Set(levels).size !== levels.length) throw new LeftOut('it has a level twice', part.at('levels'))
        for (const [at, level] of levels.entries()) {
          if (at > 0 && draft.dimensions[level]?.['hierarchy'] !== undefined)
            throw new LeftOut(`'${level}' is a level of another hierarchy, and a dimension has one`, part.at('levels'))
        }
        draft.noteHierarchy(fullName(object, name), levels, part.place)
        for (const [at, level] of levels.entries())
          if (at > 0) Object.assign(draft.dimensions[level] ?? {}, { hierarchy: levels.slice(0, at).toReversed() })
      })
}
