import type { SemanticModel } from '@grainline/core'
import { Unsaid } from './unsaid.js'

type DataObject = NonNullable<ReturnType<SemanticModel['dataObjects']['get']>>
type Column = NonNullable<ReturnType<DataObject['columns']['get']>>

/** Throws `Unsaid` for a time of coarser data, which the column or its join declares: a part of a period has a part of their sums. */
export function needFine(column: Column | undefined): void {
  if (column?.granularity) throw new Unsaid(`the data of the time '${column.name}' are coarser than days`)
}
