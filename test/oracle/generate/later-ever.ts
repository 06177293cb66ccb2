/**
 * Measures of one value of a dimension without the conditions of the query: with that dimension, where a condition may need a row of its
 * object.
 */
import type { FilterJson, LeafJson, MeasureJson, ModelJson, QueryJson } from '../model.js'
import { kindOf } from '../world.js'
import { filterLeaf } from './filters.js'
import type { Random } from './random.js'

/** The model with some of its measures for all rows of a dimension that is an integer or a text. */
export function withEverMeasures(random: Random, model: ModelJson): ModelJson {
  const dimensions = Object.keys(model.dimensions ?? {}).filter((name) =>
    ['int', 'string'].includes(plainKind(model, name) ?? ''),
  )
  const measures = Object.entries(model.measures ?? {}).filter(
    ([, m]) => m.grain === undefined && m.filterContext === undefined && !m.total,
  )
  const added = random
    .some(dimensions, 2)
    .flatMap((name) =>
      random
        .some(measures, 1)
        .map(([of, measure]): [string, MeasureJson] => [
          `${of} ever of ${name}`,
          { ...measure, grain: { mode: 'FIXED', include: [name] }, filterContext: { mode: 'FIXED' } },
        ]),
    )
  return { ...model, measures: { ...model.measures, ...Object.fromEntries(added) } }
}

/** The query, sometimes with such a measure, its dimension, and a condition that a row of the dimension's object must satisfy. */
export function withEver(random: Random, model: ModelJson, query: QueryJson): QueryJson {
  const { dimensions = [], measures = [], fields = [] } = query.select
  const ever = Object.entries(model.measures ?? {}).filter(([name]) => name.includes(' ever of '))
  const isPlain = (query.grouping ?? query.fill_gaps ?? query.top ?? query.dimensions_exclude) === undefined
  if (ever.length === 0 || measures.length === 0 || fields.length > 0 || !isPlain || !random.chance(0.35)) return query
  const [measure, { grain }] = random.pick(ever)
  const name = grain!.include![0]!
  const { where = [], having: _groups, order_by: _order, ...rest } = query
  const select = {
    ...query.select,
    dimensions: [...new Set([...(random.chance(0.5) ? dimensions : []), name])],
    measures: [...new Set([...measures.slice(0, 1), measure])],
  }
  return { ...rest, select, where: [...(random.chance(0.3) ? where : []), conditionOn(random, model, name)] }
}

/** On the dimension itself, or on another one of its object. */
function conditionOn(random: Random, model: ModelJson, name: string): FilterJson {
  const { dataObject } = model.dimensions![name]!
  const beside = Object.keys(model.dimensions ?? {}).filter(
    (other) => model.dimensions![other]!.dataObject === dataObject && plainKind(model, other) !== undefined,
  )
  const field = random.chance(0.5) ? name : random.pick(beside)
  return filterLeaf(random, field, plainKind(model, field)!)
}

/** A condition on a field; none if its kind is unknown here. */
export function filterOn(random: Random, model: ModelJson, field: string): readonly LeafJson[] {
  const kind = plainKind(model, field)
  return kind === undefined ? [] : [filterLeaf(random, field, kind)]
}

/** The kind of a dimension that is a column; `undefined` for one that is computed, has bins or a chosen path. */
export function plainKind(model: ModelJson, name: string): ReturnType<typeof kindOf> | undefined {
  const { dataObject, column, bins, via } = model.dimensions![name]!
  const stored = column === undefined || bins || via ? undefined : model.dataObjects[dataObject]?.columns[column]
  return stored && kindOf(stored)
}
