import { type ColumnRef, leavesOf } from './expression/ast.js'
import type { Granularity } from './granularity.js'
import type { Measure, SemanticModel } from './semantic-model.js'

/** How coarse the data of the rows are that a measure reads; `undefined` if they are not. */
export function granularityOf(
  { inputs, rowCountOf }: Pick<Measure, 'inputs' | 'rowCountOf'>,
  { dataObjects }: Pick<SemanticModel, 'dataObjects'>,
): Granularity | undefined {
  const read = inputs.flatMap((input) => leavesOf<ColumnRef>(input)).map(({ object }) => object)
  const columns = [...read, ...(rowCountOf === undefined ? [] : [rowCountOf])].flatMap((name) => [
    ...(dataObjects.get(name)?.columns.values() ?? []),
  ])
  return columns.find(({ granularity }) => granularity)?.granularity
}
