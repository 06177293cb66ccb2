/** A model as one relation: a column for every field that a query may select. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { bindQuery } from '../bind/bind-query.js'
import { GrainlineError } from '../errors.js'
import { type DataType, FLOAT } from '../model/data-type.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import { isOffered, type SemanticModel } from '../model/semantic-model.js'
import { parseQuery } from '../query/parse-query.js'
import { resolveQuery } from '../resolve/resolve-query.js'
import type { ColumnRole, ResultColumn, ResultSchema } from '../result/record-batch.js'
import { withInternalFunctions } from '../sql/internal-functions.js'
import { unitOfField } from './units.js'

/** The loaded functions and aggregates, by their names. */
export interface FieldCatalogues {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
}

/** Fields planned in one turn of the event loop. */
const PER_TURN = 16

const known = new WeakMap<SemanticModel, Promise<ResultSchema>>()

/**
 * The dimensions that are not hidden, the measures and the metrics, in the model's order, each with its type in a query. Computed once per
 * model.
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
  for (const { name, dataType } of [...measures.values()].filter(isOffered))
    yield { name, role: 'measure', fallback: dataType ?? FLOAT }
  for (const { name, dataType } of [...metrics.values()].filter(isOffered))
    yield { name, role: 'metric', fallback: dataType ?? FLOAT }
}

const knownTypes = new WeakMap<SemanticModel, Promise<ReadonlyMap<string, DataType>>>()

/** The types of the metrics' values in a query. A metric that can be selected only with further fields is left out. */
export function metricTypes(model: SemanticModel, catalogues: FieldCatalogues): Promise<ReadonlyMap<string, DataType>> {
  const found = knownTypes.get(model) ?? typesOf(model, catalogues)
  knownTypes.set(model, found)
  return found
}

async function typesOf(model: SemanticModel, catalogues: FieldCatalogues): Promise<ReadonlyMap<string, DataType>> {
  const types = new Map<string, DataType>()
  let planned = 0
  for (const { name, dataType } of model.metrics.values()) {
    const type = dataType ?? plannedColumn({ name, role: 'metric' }, model, catalogues)?.type
    if (type !== undefined) types.set(name, type)
    if (++planned % PER_TURN === 0) await nextTurn()
  }
  return types
}

/** The type in the plan of a query for this field; a metric that is refused even with its time has its declared type. */
function columnOf(field: Field, model: SemanticModel, catalogues: FieldCatalogues): ResultColumn {
  const { name, role, fallback } = field
  return plannedColumn(field, model, catalogues) ?? { name, role, type: fallback }
}

/** Undefined if it cannot be selected alone, nor with its time dimension. */
function plannedColumn(
  { name, role }: Pick<Field, 'name' | 'role'>,
  model: SemanticModel,
  catalogues: FieldCatalogues,
): ResultColumn | undefined {
  if (role === 'dimension') return columnIn({ dimensions: [name] }, { name, role }, model, catalogues)
  const metric = model.metrics.get(name)
  const along = metric !== undefined && 'timeDimension' in metric ? metric.timeDimension : undefined
  const alone = columnIn({ measures: [name] }, { name, role }, model, catalogues)
  if (alone !== undefined || along === undefined) return alone
  return columnIn({ dimensions: [along], measures: [name] }, { name, role }, model, catalogues)
}

function columnIn(
  select: object,
  { name, role }: Pick<Field, 'name' | 'role'>,
  model: SemanticModel,
  { aggregates, ...rest }: FieldCatalogues,
): ResultColumn | undefined {
  const functions = withInternalFunctions(rest.functions)
  try {
    const resolved = resolveQuery(parseQuery({ select }), model, {
      functions,
      aggregates,
      now: new Date(0),
      defaultLimit: undefined,
    })
    const column = bindQuery(resolved, { functions, aggregates }).rows.outputs.find((one) => one.name === name)
    if (column === undefined) return undefined
    return {
      name,
      role,
      type: column.displayAs ?? column.type,
      ...(column.format !== undefined && { format: column.format }),
    }
  } catch (error) {
    if (error instanceof GrainlineError) return undefined
    throw error
  }
}

/** The description of a field's column in a catalogue: its role, its description, its unit, its synonyms, and its status. */
export function commentOf(model: SemanticModel, name: string): string | undefined {
  const field = model.dimensions.get(name) ?? model.measures.get(name) ?? model.metrics.get(name)
  if (field === undefined) return undefined
  const { description, synonyms, status, use } = field
  const unit = unitOfField(model, name)
  const parts = [
    ...(description === undefined ? [] : [description]),
    ...(unit === undefined ? [] : [`Unit: ${unit}.`]),
    ...(synonyms.length === 0 ? [] : [`Also: ${synonyms.join(', ')}.`]),
    ...(status === undefined ? [] : [`Status: ${status}${use === undefined ? '' : `, use ${use}`}.`]),
  ]
  return [roleOf(model, name), ...(parts.length > 0 ? [parts.join(' ')] : [])].join(' · ')
}

/** Nothing else in a catalogue of tables distinguishes what is grouped by from what is computed. */
function roleOf({ dimensions, measures }: SemanticModel, name: string): string {
  const measure = measures.get(name)
  if (measure) return `measure, ${measure.distinct ? 'distinct ' : ''}${measure.aggregation}`
  return dimensions.has(name) ? 'dimension' : 'metric'
}
