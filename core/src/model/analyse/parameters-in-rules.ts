import { isKeyColumnOf } from '../key-columns.js'
import { parametersInColumn, parametersInCondition } from '../parameters-in.js'
import type { DataObject, StaticFilter } from '../semantic-model.js'
import type { Context } from './context.js'

type Objects = ReadonlyMap<string, DataObject>

/** Refuses keys that read parameters: which rows belong together must not depend on the query. */
export function refuseParametersInKeys(dataObjects: Objects, { faults, parameters }: Context): void {
  if (parameters.size === 0) return
  for (const [object, { columns }] of dataObjects)
    for (const [column, { source }] of columns) {
      if (source.kind === 'physical' || !isKeyColumnOf(dataObjects, object, column)) continue
      const [read] = parametersInColumn(object, column, dataObjects)
      if (read === undefined) continue
      const message = `'${object}.${column}' is part of a key or a join and reads the parameter '${read}', so rows would belong together in one query and not in another. Join and identify rows by columns without parameters`
      faults.error('PARAMETER_IN_POLICY', ['dataObjects', object, 'columns', column, 'expression'], message)
    }
}

interface Rules {
  readonly dataObjects: Objects
  readonly filters: readonly StaticFilter[]
}

/** A filter of the model cannot be removed by a query, but its parameters can be given by anyone. */
export function warnOfParametersInFilters({ dataObjects, filters }: Rules, { faults, parameters }: Context): void {
  if (parameters.size === 0) return
  for (const [i, { dataObject, condition }] of filters.entries()) {
    const [read] = parametersInCondition(condition, dataObjects)
    if (read === undefined) continue
    const message = `The filter on '${dataObject}' reads the parameter '${read}', which every query may set, so it protects no rows`
    faults.warn('PARAMETER_IN_FILTER', ['filters', i], message)
  }
}
