import { STRING } from '../../model/data-type.js'
import { columnBuilder } from '../column-builder.js'
import type { ColumnVector, RecordBatch, ResultColumn, ResultSchema } from '../record-batch.js'
import { slices } from '../slices.js'
import { isPresent } from '../validity.js'
import { valueAt } from '../value-at.js'
import { type DisplayOptions, type DisplayValue, displayer } from './display-value.js'

type Batches = AsyncIterable<RecordBatch>

interface Display {
  readonly source: number
  readonly column: ResultColumn
  readonly show: (value: DisplayValue) => string
}

/**
 * The answer with one more column, at its end, for every column whose `format` its type supports: its values as texts in `locale`, NULL for
 * NULL. The columns themselves are unchanged.
 */
export function withDisplay(
  { schema, batches }: { readonly schema: ResultSchema; readonly batches: Batches },
  options: DisplayOptions,
): { readonly schema: ResultSchema; readonly batches: Batches } {
  const displays = displaysOf(schema, options)
  if (displays.length === 0) return { schema, batches }
  const extended = [...schema, ...displays.map(({ column }) => column)]
  return { schema: extended, batches: extend(batches, extended, displays) }
}

function displaysOf(schema: ResultSchema, options: DisplayOptions): Display[] {
  const taken = new Set(schema.map(({ name }) => name))
  return schema.flatMap(({ name, type, format }, source): Display[] => {
    const show = format === undefined ? undefined : displayer(type, format, options)
    if (!show) return []
    let own = `${name} (formatted)`
    for (let n = 2; taken.has(own); n++) own = `${name} (formatted ${n})`
    taken.add(own)
    return [{ source, show, column: { name: own, type: STRING, role: 'display' } }]
  })
}

async function* extend(batches: Batches, schema: ResultSchema, displays: readonly Display[]): AsyncGenerator<RecordBatch> {
  let builders = displays.map(() => columnBuilder(STRING))
  for await (const { batch, from, to } of slices(batches)) {
    for (const [index, { source, show }] of displays.entries()) {
      const read = reader(batch.columns[source]!, batch.schema[source]!)
      for (let row = from; row < to; row++) {
        const value = read(row)
        builders[index]!.append(value === null ? null : show(value))
      }
    }
    if (to < batch.rowCount) continue
    const columns: ColumnVector[] = [...batch.columns, ...builders.map((builder) => builder.finish())]
    yield { schema, rowCount: batch.rowCount, columns }
    builders = displays.map(() => columnBuilder(STRING))
  }
}

/** Times as stored; numbers as `valueAt` returns them. */
function reader(column: ColumnVector, { type }: ResultColumn): (row: number) => DisplayValue | null {
  const raw = column.kind === 'date32' || (column.kind === 'int64' && type.kind !== 'int')
  if (!raw) return (row) => valueAt(column, row, type)
  return (row) => (isPresent(column.validity, row) ? column.values[row]! : null)
}
