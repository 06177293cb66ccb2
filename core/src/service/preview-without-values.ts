/** Previews of relations with columns that depend on parameters without a value: these are NULL, and the answer says so. */
import { type Finding, warning } from '../errors.js'
import { entryOf } from '../invariant.js'
import type { QueryJson } from '../language/query-json.js'
import type { EmptyFields } from '../resolve/parameters-of-query.js'
import { batchFromRows } from '../result/column-builder.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import type { CompileResult, ExecuteOptions, Execution } from './asking.js'
import type { Asks } from './asks.js'
import { compilePreview, executePreview, type Previewed } from './preview.js'

export async function compilePreviewOf(previewed: Previewed, asks: Asks): Promise<CompileResult> {
  const empty = asks.emptyFields(previewed.query)
  const compiled = await compilePreview(withoutEmpty(previewed, empty), asks)
  return widened(compiled, emptyColumns(previewed, empty), empty)
}

export async function executePreviewOf(
  previewed: Previewed,
  asks: Asks,
  options: ExecuteOptions,
  cut: number | undefined,
): Promise<Execution> {
  const empty = asks.emptyFields(previewed.query)
  const execution = await executePreview(withoutEmpty(previewed, empty), asks, options, cut)
  if (empty.fields.size === 0) return execution
  const more = emptyColumns(previewed, empty)
  const schema = [...execution.schema, ...more]
  return {
    ...execution,
    compiled: widened(execution.compiled, more, empty),
    schema,
    batches: withNulls(execution.batches, schema, more),
    outcome: () => {
      const outcome = execution.outcome()
      return { ...outcome, warnings: [...outcome.warnings, notice(empty)] }
    },
  }
}

function withoutEmpty({ query, preview }: Previewed, { fields }: EmptyFields): Previewed {
  if (fields.size === 0) return { query, preview }
  const { dimensions = [], measures = [] } = query.select
  const select = {
    ...query.select,
    dimensions: dimensions.filter((dimension) => !fields.has(labelOf(dimension))),
    measures: measures.filter((name) => !fields.has(name)),
  }
  const leftOut = new Set([...preview.leftOut].filter((name) => !fields.has(name)))
  return { query: { ...query, select }, preview: { ...preview, leftOut } }
}

const labelOf = (dimension: NonNullable<QueryJson['select']['dimensions']>[number]): string =>
  typeof dimension === 'string' ? dimension : dimension.as

function emptyColumns({ preview: { schema } }: Previewed, { fields }: EmptyFields): ResultSchema {
  const byName = new Map(schema.map((column) => [column.name, column]))
  return [...fields].map((name) => entryOf(byName, name))
}

const widened = (compiled: CompileResult, more: ResultSchema, empty: EmptyFields): CompileResult =>
  more.length === 0
    ? compiled
    : { ...compiled, columns: [...compiled.columns, ...more], warnings: [...compiled.warnings, notice(empty)] }

function notice({ fields, parameters }: EmptyFields): Finding {
  const [names, values] = [fields, parameters].map((list) => [...list].map((name) => `'${name}'`).join(', '))
  const message = `No value is given for ${values}, and the model has no default, so columns that depend on it are NULL: ${names}`
  return warning('PARAMETER_REQUIRED', message, { path: 'parameters' })
}

async function* withNulls(
  batches: AsyncIterable<RecordBatch>,
  schema: ResultSchema,
  more: ResultSchema,
): AsyncGenerator<RecordBatch> {
  for await (const batch of batches) {
    const nulls = batchFromRows(
      more,
      Array.from({ length: batch.rowCount }, () => more.map(() => null)),
    )
    yield { schema, rowCount: batch.rowCount, columns: [...batch.columns, ...nulls.columns] }
  }
}
