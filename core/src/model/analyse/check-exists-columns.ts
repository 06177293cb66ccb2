import { columnsOfCondition, type Fields } from '../columns-read.js'
import { reachable } from '../graph.js'
import type { Segments } from '../parse/locate.js'
import type { DataObject, ExistsSource } from '../semantic-model.js'
import { severalWays, shortestWays } from '../shortest-ways.js'
import type { Context } from './context.js'
import { forwardGraph } from './join-graph.js'

/** Reports columns that look for rows by no way or by several, and conditions that these rows do not reach. */
export function* checkExistsColumns(columns: readonly ExistsColumn[], fields: Fields, context: Context): Generator<undefined> {
  for (const column of columns) {
    checkWay(column, fields, context)
    yield
  }
}

export interface ExistsColumn {
  readonly object: DataObject
  readonly name: string
  readonly source: ExistsSource
}

export const existsColumnsOf = ({ dataObjects }: Fields): readonly ExistsColumn[] =>
  [...dataObjects.values()].flatMap((object) =>
    [...object.columns.values()].flatMap(({ name, source }) => (source.kind === 'exists' ? [{ object, name, source }] : [])),
  )

/** There is one shortest way to the rows, of which the columns that are compared can be read. */
function checkWay(column: ExistsColumn, { dataObjects }: Fields, { faults }: Context): void {
  const { object, name, source } = column
  const { target, pathName } = source
  const at = [...placeOf(column), 'exists']
  if (object.name === target && pathName === undefined) {
    const message = `'${name}' looks for rows of '${target}', whose rows it describes; write a condition on the row itself as an expression, or name a join of '${target}' to itself with pathName`
    faults.error('INVALID_COLUMN', at, message)
    return
  }
  const joins = [...dataObjects.values()].flatMap((one) => one.joins.filter((j) => !j.secondary || j.pathName === pathName))
  const ways = shortestWays(object.name, target, { joins, pathName })
  const [way, ...others] = ways
  const through = pathName === undefined ? '' : ` through the join '${pathName}'`
  if (!way) faults.error('NO_JOIN_PATH', at, `'${object.name}' and '${target}' are not connected by joins${through}`)
  else if (others.length > 0) {
    const message = `'${object.name}' connects with '${target}' in several equally short ways, ${severalWays(ways, 'pathName')}`
    faults.error('AMBIGUOUS_JOIN', at, message)
  } else checkRead(column, dataObjects, { faults })
}

/** The conditions are on the target and what it reaches. */
function checkRead(column: ExistsColumn, dataObjects: Fields['dataObjects'], { faults }: Pick<Context, 'faults'>): void {
  const { target, filters } = column.source
  const joins = [...dataObjects.values()].flatMap((one) => one.joins.filter(({ secondary }) => !secondary))
  const reached = reachable(target, forwardGraph(joins, false).forward)
  for (const [i, filter] of filters.entries()) {
    const far = columnsOfCondition(filter).find((ref) => !reached.has(ref.object))
    if (!far) continue
    const message = `'${target}' does not reach '${far.object}' by its primary joins; look for rows of an object that does`
    faults.error('NO_JOIN_PATH', [...placeOf(column), 'filters', i], message)
  }
}

const placeOf = ({ object, name }: ExistsColumn): Segments => ['dataObjects', object.name, 'columns', name]
