/** A model as one relation: a column for every field that a question may select. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { GrainlineError } from '../errors.js'
import { FLOAT } from '../model/data-type.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { planQuery } from '../plan/plan-query.js'
import { parseQuery } from '../query/parse-query.js'
import { resolveQuery } from '../resolve/resolve-query.js'
import type { ColumnRole, ResultColumn, ResultSchema } from '../result/record-batch.js'
import { withInternalFunctions } from '../sql/internal-functions.js'

export interface FieldCatalogues {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
}

/** Fields planned in one turn of the event loop. */
const PER_TURN = 16

const known = new WeakMap<SemanticModel, Promise<ResultSchema>>()

/**
 * The dimensions that are not hidden, the measures, the metrics, in the model's order, each with the type that a question gives it. Worked
 * out once per model.
 */
export function modelColumns(model: SemanticModel, catalogues: FieldCatalogues): Promise<ResultSchema> {
  const found = known.get(model) ?? columnsOf(model, catalogues)
  known.set(model, found)
  return found
}

async function columnsOf(model: SemanticModel, catalogues: FieldCatalogues): Promise<ResultSchema> {
  const columns: ResultColumn[] = []
  for (const field of fieldsOf(model)) {
    columns.push(columnOf(field, model, catalogues))
    if (columns.length % PER_TURN === 0) await nextTurn()
  }
  return columns
}

interface Field {
  readonly name: string
  readonly role: ColumnRole
  readonly fallback: ResultColumn['type']
}

function* fieldsOf({ dimensions, measures, metrics }: SemanticModel): Generator<Field> {
  for (const { name, hidden, type } of dimensions.values()) if (!hidden) yield { name, role: 'dimension', fallback: type }
  for (const { name, dataType } of measures.values()) yield { name, role: 'measure', fallback: dataType ?? FLOAT }
  for (const { name, dataType } of metrics.values()) yield { name, role: 'metric', fallback: dataType ?? FLOAT }
}

/** As the plan of a question for this field alone has it. A metric that needs its time beside it is told by what it declares. */
function columnOf({ name, role, fallback }: Field, model: SemanticModel, { aggregates, ...rest }: FieldCatalogues): ResultColumn {
  const functions = withInternalFunctions(rest.functions)
  const select = role === 'dimension' ? { dimensions: [name] } : { measures: [name] }
  try {
    const resolved = resolveQuery(parseQuery({ select }), model, {
      functions,
      aggregates,
      now: new Date(0),
      defaultLimit: undefined,
    })
    const [column] = planQuery(resolved, { functions, aggregates }).columns
    return {
      name,
      role,
      type: column?.displayAs ?? column?.type ?? fallback,
      ...(column?.format !== undefined && { format: column.format }),
    }
  } catch (error) {
    if (error instanceof GrainlineError) return { name, role, type: fallback }
    throw error
  }
}
