import { type DataType, GrainlineError } from '@grainline/core'
import type { ResultSchema } from '@grainline/core/format'
import type { DiscoveryService, SqlService } from '@grainline/core/surface'
import type { Database, VisibleModel } from '../models/visible-models.js'
import { blocksOf, type RowStream } from '../rows/row-block.js'
import type { SessionSettings } from '../session/session-settings.js'
import { toNotice } from '../session/to-pg-error.js'
import type { SelectStatement } from '../statements/statement.js'
import { isArray } from '../types/array-type.js'
import { dataTypeOf, fieldOf, oidOf } from '../types/pg-type.js'
import { readParameter } from '../types/read-parameter.js'
import { type Answerer, type Bound, type Description, placed } from './answer.js'
import { parameterTypes, unitParameters } from './parameter-types.js'

interface QuestionContext {
  readonly service: Pick<SqlService & DiscoveryService, 'compileSql' | 'executeSql' | 'modelColumns'>
  readonly database: Database
  readonly settings: SessionSettings
  /** Who asks now. */
  readonly asker: () => SqlRequest['asker']
}

type SqlRequest = Parameters<SqlService['executeSql']>[0]
type Parameters_ = NonNullable<SqlRequest['parameters']>

/** Answers SELECTs over models, by the same service as every other surface. */
export function questionAnswerer({ service, database, settings, asker }: QuestionContext): Answerer {
  async function typesOf({ tree, text, parameters }: SelectStatement, declared: readonly number[]): Promise<number[]> {
    if (parameters === 0) return []
    const columns = await Promise.all(database.named().map(({ handle }) => service.modelColumns(handle.model, text)))
    return parameterTypes(tree, parameters, declared, (name) => typeOfField(name, columns))
  }

  const request = (statement: SelectStatement, parameters: Parameters_): SqlRequest => ({
    sql: statement.text,
    ...(statement.placesItsText && { tree: statement.tree }),
    target: targetOf(database.models()),
    parameters,
    modelParameters: settings.modelParameters(),
    rollups: settings.rollups(),
    asker: asker(),
  })

  async function describe(statement: SelectStatement, declared: readonly number[]): Promise<Description> {
    const parameters = await typesOf(statement, declared)
    const units = unitParameters(statement.tree)
    const sample = parameters.map((type, index) => ({
      value: units.has(index + 1) ? SAMPLE_UNIT : sampleOf(type),
      type: dataTypeOf(type),
    }))
    const { columns } = await service.compileSql(request(statement, sample)).catch(placed(statement))
    return { parameters, fields: columns.map(fieldOf) }
  }

  return {
    describe,
    check: (statement, declared) =>
      describe(statement, declared).catch((error: unknown) => {
        if (statement.parameters === 0 || isAboutNames(error)) throw error
        return undefined
      }),
    async open(statement, bound, _formats, signal) {
      const parameters = valuesOf(bound, await typesOf(statement, bound.types))
      const execution = await service
        .executeSql(request(statement, parameters), { signal, defaultLimit: 'sql' })
        .catch(placed(statement))
      return {
        fields: execution.schema.map(fieldOf),
        blocks: blocksOf(execution.batches, execution.schema, settings.style()),
        notices: () => execution.outcome().warnings.map(toNotice),
      } satisfies RowStream
    },
  }
}

const SAMPLE_UNIT = 'month'

const ABOUT_NAMES: ReadonlySet<string> = new Set([
  'UNKNOWN_SELECT_ITEM',
  'RAW_SQL_REJECTED',
  'NO_MODEL_SELECTED',
  'WRITE_OPERATION_REJECTED',
])

const isAboutNames = (error: unknown): boolean => error instanceof GrainlineError && ABOUT_NAMES.has(error.code)

/** The only model, if there is one. A statement without FROM refers to it. */
function targetOf(models: readonly VisibleModel[]): SqlRequest['target'] {
  const [first] = models
  if (first === undefined || models.length > 1) return {}
  return { sessionId: first.handle.sessionId, modelId: first.handle.modelId }
}

function typeOfField(name: string, models: readonly ResultSchema[]): DataType | undefined {
  const folded = name.toLowerCase()
  for (const columns of models) {
    const found = columns.find((column) => column.name === name) ?? columns.find((column) => column.name.toLowerCase() === folded)
    if (found) return found.type
  }
  return undefined
}

function valuesOf({ values, valueFormats }: Bound, types: readonly number[]): Parameters_ {
  return values.map((value, index) => {
    const type = types[index]!
    return { value: value === null ? null : readParameter(value, type, valueFormats[index]!), type: dataTypeOf(type) }
  })
}

/** A sample value of the type: columns are described before the values are known. */
function sampleOf(type: number): string {
  if (isArray(type)) return '{}'
  const { kind } = dataTypeOf(type)
  if (kind === 'date') return '2000-01-01'
  if (kind === 'timestamp' || kind === 'timestamp_tz') return '2000-01-01 00:00:00'
  if (kind === 'time') return '00:00:00'
  if (kind === 'boolean') return 'true'
  return type === oidOf({ kind: 'string' }) ? '' : '1'
}
