import { fail, GrainlineError } from '../errors.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import type { NamedModel } from '../semantic-ql/model-scope.js'
import type { ModelSelect } from '../semantic-ql/model-select.js'
import { readSql, type SqlReading } from '../semantic-ql/read-sql.js'
import { unsupported } from '../semantic-ql/refusal.js'
import { catalogueOf } from './catalogue.js'
import type { ServiceDeps } from './create-service.js'
import type { Models } from './models.js'
import type { CompileResult, ModelHandle, SemanticService } from './semantic-service.js'
import type { SqlCompileResult, SqlRequest, SqlService } from './sql-service.js'

type Asking = Pick<SemanticService, 'compile' | 'execute'> & Pick<Models, 'modelReach'>

interface AskedModel extends NamedModel {
  readonly handle: ModelHandle
}

/** Statements of SQL: each leaf is a query that the service answers like any other. */
export function createSemanticQl(deps: ServiceDeps, asking: Asking): SqlService {
  const catalogue = catalogueOf(deps)

  function read({ sql, target, parameters = [] }: SqlRequest): Promise<SqlReading<AskedModel>> {
    const { models, chosen } = asking.modelReach(target)
    const named = models.map(namedModel)
    const scope = { models: named, chosen: named.find(({ handle }) => handle.modelId === chosen?.modelId) }
    return readSql({ text: sql, scope, parameters, ...catalogue() })
  }

  /** The question of a leaf, as any other client would ask it. */
  function questionOf({ relation, query }: ModelSelect<AskedModel>, { asker, dialect }: SqlRequest) {
    const { sessionId, modelId } = relation.named.handle
    return { asker, dialect, query, target: { sessionId, modelId } }
  }

  return {
    async classifySql(request) {
      try {
        const reading = await read(request)
        return reading.kind === 'catalogue' ? { kind: 'catalogue', about: reading.about.kind } : { kind: reading.kind }
      } catch (error) {
        if (error instanceof GrainlineError) return { kind: 'refused', error }
        throw error
      }
    },
    async compileSql(request) {
      const reading = await read(request)
      if (reading.kind !== 'leaf') return refuseKind(reading, deps)
      return compiledLeaf(reading.select, await asking.compile(questionOf(reading.select, request)))
    },
    async executeSql(request, options = {}) {
      const reading = await read(request)
      if (reading.kind !== 'leaf') return refuseKind(reading, deps)
      const execution = await asking.execute(questionOf(reading.select, request), options)
      const compiled = compiledLeaf(reading.select, execution.compiled)
      const shown = indexesOf(reading.select, execution.schema)
      return {
        compiled,
        schema: compiled.columns,
        batches: shownColumns(execution.batches, shown, compiled.columns),
        outcome: execution.outcome,
      }
    },
  }
}

function namedModel(handle: ModelHandle): AskedModel {
  const { sessionId, modelId, model } = handle
  return { names: [...new Set([...(model.name === undefined ? [] : [model.name]), modelId, sessionId])], model, handle }
}

function refuseKind({ kind }: SqlReading, _deps: ServiceDeps): never {
  if (kind === 'session')
    return fail('WRITE_OPERATION_REJECTED', 'There is no session here that a statement could change', { path: 'sql' })
  return unsupported('statement', 'Only a single SELECT from one model is answered here')
}

/** Where each shown column stands in the answer of the query. */
const indexesOf = ({ items }: ModelSelect, schema: ResultSchema): number[] =>
  items.map((item) => schema.findIndex((column) => column.name === item.column))

function compiledLeaf(select: ModelSelect, compiled: CompileResult): SqlCompileResult {
  const { limit: _limit, query: _query, handle: _handle, ...rest } = compiled
  const columns = indexesOf(select, compiled.columns).map((index, i) => ({
    ...compiled.columns[index]!,
    name: select.items[i]!.name,
  }))
  return { ...rest, kind: 'leaf', columns, leaves: [{ name: 'leaf_1', compiled }], around: undefined }
}

/** The batches with the columns that the statement shows, in its order. Nothing is copied. */
async function* shownColumns(
  batches: AsyncIterable<RecordBatch>,
  indexes: readonly number[],
  schema: ResultSchema,
): AsyncGenerator<RecordBatch> {
  for await (const batch of batches) {
    yield { schema, rowCount: batch.rowCount, columns: indexes.map((index) => batch.columns[index]!) }
  }
}
