/** The relations that an outer statement reads. */
import { fail } from '../errors.js'
import type { EvaluatedRelation } from '../language/evaluator.js'
import type { RelationQuery } from '../language/language.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import type { ReadStatement } from './kept-readings.js'
import type { CompiledModelQuery } from './sql-service.js'

/** The model query runs when its rows are first read, so that no statement holds a connection while another one is read. */
export function relationOf(
  { name, columns }: RelationQuery,
  { compiled }: CompiledModelQuery,
  execute: () => Promise<{ readonly batches: AsyncIterable<RecordBatch> }>,
): EvaluatedRelation {
  if (columns.length !== compiled.columns.length)
    fail('INTERNAL_ERROR', `The query of ${name} has other columns than those requested`)
  async function* batches(): AsyncGenerator<RecordBatch> {
    yield* (await execute()).batches
  }
  return { name, schema: numbered(compiled.columns), batches: batches() }
}

/** The relation of a model query without its rows. */
export const emptyRelationOf = ({ name, compiled }: CompiledModelQuery): EvaluatedRelation => ({
  name,
  schema: numbered(compiled.columns),
  batches: none(),
})

/** The relations of a statement about the models. */
export async function catalogueRelations(statement: ReadStatement): Promise<EvaluatedRelation[]> {
  const relations = statement.kind === 'catalogue' ? await statement.evaluated?.relations() : undefined
  return (relations ?? []).map(({ name, batch }) => ({ name, schema: batch.schema, batches: only(batch) }))
}

export async function* only(batch: RecordBatch): AsyncGenerator<RecordBatch> {
  yield batch
}

async function* none(): AsyncGenerator<RecordBatch> {}

/** A model query's columns by their names in the outer statement. */
const numbered = (schema: ResultSchema): ResultSchema => schema.map((column, i) => ({ ...column, name: `c${i + 1}` }))
