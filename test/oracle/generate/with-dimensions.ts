import type { ColumnJson, ModelJson } from '../model.js'
import type { Random } from './random.js'

/** The model with a column of an object and others that are computed from it, and a dimension of each. Times have a grain in some. */
export function withDimensions(random: Random, model: ModelJson, { object, name, column, computed }: Placed): ModelJson {
  const own = model.dataObjects[object]!
  const columns = { ...own.columns, [name]: column, ...computed }
  const isTime = column.abstractType === 'date' || column.abstractType === 'timestamp'
  const dimensions = [name, ...Object.keys(computed)].map((one) => [
    `${object} ${one}`,
    {
      dataObject: object,
      column: one,
      resultType: columns[one]!.abstractType,
      ...(isTime && random.chance(0.4) && { timeGrain: random.pick(['day', 'week', 'month', 'year']) }),
    },
  ])
  return {
    ...model,
    dataObjects: { ...model.dataObjects, [object]: { ...own, columns } },
    dimensions: { ...model.dimensions, ...Object.fromEntries(dimensions) },
  }
}

interface Placed {
  readonly object: string
  readonly name: string
  readonly column: ColumnJson
  readonly computed: Readonly<Record<string, ColumnJson>>
}
