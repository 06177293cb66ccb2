import { INT } from '../model/data-type.js'
import type { Dimension } from '../model/semantic-model.js'
import { binary, integer } from '../resolve/expressions.js'
import { baseRows } from './base-rows.js'
import { offGroups } from './off-groups.js'
import type { SortReport } from './report.js'
import { aggregate, item, part, present, select } from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'

type SortedDimension = Dimension & { readonly sortBy: NonNullable<Dimension['sortBy']> }

export const isSorted = (dimension: Dimension): dimension is SortedDimension => dimension.sortBy !== undefined

/** One statement: the values of a dimension, and those that rows put at different places. */
export async function verifySort(
  { name, dataObject, expression, sortBy }: SortedDimension,
  context: VerifyContext,
): Promise<SortReport> {
  const wanted = [
    { name: 'shown', expression },
    { name: 'place', expression: sortBy },
  ]
  const base = baseRows({ object: dataObject, name: 'object_rows', wanted }, context)
  const [shown, place] = base.columns
  if (!shown || !place) throw new Error('two columns are read')
  const query = select(
    [item('shown', shown.read, shown.type), item('places', { ...aggregate('count', [place.read], INT), distinct: true }, INT)],
    part(base.name),
    { where: present([shown.read, place.read]), groupBy: [shown.read] },
  )
  const found = await offGroups(
    { ctes: base.ctes, query, keys: [shown], isOff: (read) => binary('>', read('places', INT), integer(1)) },
    context,
  )
  return {
    dimension: name,
    data_object: dataObject,
    sort_by: sortBy.column,
    values: found.groups,
    several: found.off,
    examples: found.examples,
  }
}
