/** Which rows a measure aggregates, and what they reach. */
import type { SemanticModel } from '@grainline/core'
import { Unsaid } from './unsaid.js'

type Measure = SemanticModel['measures'] extends ReadonlyMap<string, infer M> ? M : never

type Join = NonNullable<ReturnType<SemanticModel['dataObjects']['get']>>['joins'][number]

/** The objects of which each row of an object has at most one row, and itself. With `isSaid`, only joins count that the other format can say. */
export function reachOf(
  object: string,
  { dataObjects }: SemanticModel,
  isSaid: (join: Join) => boolean = () => true,
): ReadonlySet<string> {
  const reached = new Set([object])
  for (const name of reached)
    for (const join of dataObjects.get(name)?.joins ?? [])
      if (join.cardinality !== 'many-to-many' && !join.secondary && isSaid(join)) reached.add(join.to)
  return reached
}

/** Throws `Unsaid` if an expression of `home` reads an object to which no join leads that the other format can say. */
export type NeedReach = (home: string, object: string) => void

/** Joins are walked once for each home. */
export function needReach(model: SemanticModel, isSaid: (join: Join) => boolean): NeedReach {
  const reaches = new Map<string, ReadonlySet<string>>()
  return (home, object) => {
    const reached = reaches.get(home) ?? reachOf(home, model, isSaid)
    reaches.set(home, reached)
    if (!reached.has(object)) throw new Unsaid(`it reads '${object}', and no relationship leads there from '${home}'`)
  }
}

/** Whether a join compares columns of its tables, none of which is a time of coarser data. */
export const isOfTables = ({ from, to, on }: Join, { dataObjects }: SemanticModel): boolean =>
  on.every((term) => {
    const ends =
      term.kind === 'equal'
        ? ([
            [from, term.from],
            [to, term.to],
          ] as const)
        : []
    return ends.every(([object, name]) => {
      const column = dataObjects.get(object)?.columns.get(name)
      return column?.source.kind === 'physical' && !column.granularity
    })
  })

/** The object whose rows a measure aggregates. `objects` are those that its values read. */
export function homeOf({ rowCountOf, anchor }: Measure, objects: ReadonlySet<string>, model: SemanticModel): string {
  const named = rowCountOf ?? anchor
  if (named !== undefined) return named
  const [first, ...more] = objects
  if (first !== undefined && more.length === 0) return first
  const homes = [...objects].filter((object) => {
    const reached = reachOf(object, model)
    return [...objects].every((other) => reached.has(other))
  })
  const [home, other] = homes
  if (home === undefined || other !== undefined) throw new Unsaid('it reads several objects, and no anchor says whose rows count')
  return home
}

/** The objects whose measures a required join changes: it removes rows, whatever a question asks. */
export function restricted({ dataObjects }: SemanticModel): ReadonlySet<string> {
  const joins = [...dataObjects.values()].flatMap((object) => object.joins)
  const found = new Set(joins.filter(({ required }) => required).map(({ from }) => from))
  const above = new Map<string, string[]>()
  for (const { from, to, cardinality, secondary } of joins)
    if (cardinality !== 'many-to-many' && !secondary) listAt(above, to).push(from)
  for (const name of found) for (const from of above.get(name) ?? []) found.add(from)
  return found
}

function listAt(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
