import { columnsBelow, columnsOfCondition, type Fields, fieldsBelow } from '../columns-read.js'
import { isTemporal } from '../data-type.js'
import type { RollupDocument } from '../document.js'
import { type ColumnRef, type Expr, leavesOf, nodeOf, someNode } from '../expression/ast.js'
import { valueType } from '../expression/value-type.js'
import { nameOfGrain } from '../grain.js'
import { reachable } from '../graph.js'
import { parametersIn, parametersInCondition } from '../parameters-in.js'
import type { Segments as Path } from '../parse/locate.js'
import { Codes, codeOf, heldAs, objectsRead } from '../rollup-parts.js'
import {
  type Dimension,
  type Join,
  looksForRows,
  type Measure,
  type ModelCondition,
  type Rollup,
  type Segment,
  type StaticFilter,
} from '../semantic-model.js'
import { grainOf } from './calendars.js'
import { type Context, columnType, describedOf, knowsObject } from './context.js'
import { type ForwardGraph, forwardGraph } from './join-graph.js'
import { clockIn, segmentsIn } from './rollup-conditions.js'

/** What the rollups of a model read. */
interface Ground extends Fields {
  readonly filters: readonly StaticFilter[]
  readonly segments: ReadonlyMap<string, Segment>
  /** Its primary joins. */
  readonly joins: ForwardGraph
}

/** A rollup as written, and its place. */
interface Written {
  readonly name: string
  readonly entry: RollupDocument
  readonly path: Path
  /** The objects that its rows reach. */
  readonly reached: ReadonlySet<string>
}

/** The rollup tables. One that no question could read, or that would not be the same table tomorrow, is refused. */
export function readRollups(fields: Omit<Ground, 'joins'>, joins: Iterable<Join>, context: Context): ReadonlyMap<string, Rollup> {
  if (!context.document.rollups) return new Map()
  const ground = { ...fields, joins: forwardGraph(joins, false) }
  const rollups = new Map<string, Rollup>()
  const tables = new Map<string, string>()
  for (const [name, entry] of Object.entries(context.document.rollups)) {
    const path = ['rollups', name]
    if (context.isBroken(path) || !knowsObject(entry.dataObject, [...path, 'dataObject'], context)) continue
    const reached = reachable(entry.dataObject, ground.joins.forward)
    const written = { name, entry, path, reached }
    const rollup = readRollup(written, ground, context)
    refuseSameTable(rollup, path, tables, context)
    rollups.set(name, rollup)
  }
  return rollups
}

function readRollup(written: Written, ground: Ground, context: Context): Rollup {
  const { name, entry, path } = written
  const { dataObject, where = [], code = codeOf(name), schema, database } = entry
  const dimensions = readDimensions(written, ground, context)
  const measures = readMeasures(written, ground, context)
  const read = readsOf({ dimensions, measures, where, reached: written.reached }, ground)
  if (dataObject === '' || code.trim() === '')
    context.faults.error('INVALID_ROLLUP', [...path, 'code'], `'${name}' has no letter for the name of a table; give a code`)
  refuseClock({ ...read, where }, path, context)
  refuseParameters(read, path, context)
  return {
    name,
    dataObject,
    dimensions: withCodes(dimensions),
    measures: entry.measures,
    where,
    codes: new Map(measures.map((measure) => [measure.name, codeOf(measure.name) || 'measure'])),
    table: { database, schema, name: code },
    ...describedOf(entry),
  }
}

/** A grain that is not the declared one is part of the name. */
function withCodes(dimensions: readonly Kept[]): Rollup['dimensions'] {
  const codes = new Codes()
  return dimensions.map(({ field, grain }) => {
    const at = grain === undefined || grain === field.timeGrain ? '' : `_${nameOfGrain(grain)}`
    return { field: field.name, grain, code: codes.take(`${codeOf(field.name) || 'dimension'}${at}`) }
  })
}

function refuseSameTable({ name, table }: Rollup, path: Path, tables: Map<string, string>, { faults }: Context): void {
  const key = JSON.stringify([table.database, table.schema, table.name])
  const other = tables.get(key)
  if (other !== undefined)
    faults.error('DUPLICATE_IDENTIFIER', path, `'${name}' and '${other}' have one table; give one of them another code`, {
      onKey: true,
    })
  tables.set(key, name)
}

interface Kept {
  readonly field: Dimension
  readonly grain: Rollup['dimensions'][number]['grain']
}

function readDimensions({ entry, path, reached }: Written, { dimensions }: Ground, context: Context): readonly Kept[] {
  const { faults } = context
  const seen = new Set<string>()
  return entry.dimensions.flatMap((item, i): readonly Kept[] => {
    const at = [...path, 'dimensions', i]
    const { field: asked, grain: text } = typeof item === 'string' ? { field: item, grain: undefined } : item
    const field = dimensions.get(asked)
    if (!field) {
      const message = `'${asked}' is not a dimension of this model`
      faults.unknown('UNKNOWN_SELECT_ITEM', at, { message, name: asked, known: dimensions.keys() })
      return []
    }
    const grain = grainOf(text, [...at, 'grain'], context) ?? field.timeGrain
    if (grain && !isTemporal(field.type)) {
      faults.error('TIME_GRAIN_ON_NON_TEMPORAL', at, `'${asked}' is not a date or timestamp and has no ${nameOfGrain(grain)}`)
      return []
    }
    if (!reached.has(field.dataObject)) {
      const message = `'${asked}' is on '${field.dataObject}', which the rows of '${entry.dataObject}' do not reach by primary joins: a row could be in several groups. Leave it out`
      faults.error('INVALID_ROLLUP', at, message)
      return []
    }
    const key = JSON.stringify([asked, grain && nameOfGrain(grain)])
    if (seen.has(key)) faults.error('DUPLICATE_IDENTIFIER', at, `The rollup names '${asked}' twice`)
    seen.add(key)
    return [{ field, grain }]
  })
}

function readMeasures(written: Written, ground: Ground, context: Context): readonly Measure[] {
  const { entry, path } = written
  const { measures, metrics } = ground
  return entry.measures.flatMap((name, i) => {
    const at = [...path, 'measures', i]
    if (!measures.has(name) && !metrics.has(name)) {
      const message = `'${name}' is not a measure or metric of this model`
      context.faults.unknown('UNKNOWN_MEASURE_REF', at, { message, name, known: [...measures.keys(), ...metrics.keys()] })
      return []
    }
    const atoms = fieldsBelow(name, ground).flatMap((one) => measures.get(one) ?? [])
    const fault = atoms.map((measure) => faultOf(measure, written, context)).find((one) => one !== undefined)
    if (fault === undefined) return atoms
    context.faults.error('INVALID_ROLLUP', at, fault)
    return []
  })
}

/** Why a table cannot hold a measure. */
function faultOf(measure: Measure, { entry: { dataObject }, reached }: Written, context: Context): string | undefined {
  const object = context.objects.get(dataObject)?.object
  if (!object) return undefined
  const read = objectsRead(measure)
  const isHome =
    measure.rowCountOf === undefined
      ? (measure.anchor === undefined ? read.includes(dataObject) : measure.anchor === dataObject) &&
        read.every((one) => reached.has(one))
      : measure.rowCountOf === dataObject
  if (!isHome) {
    return `'${measure.name}' does not count the rows of '${dataObject}'; put it into a rollup of its own data object`
  }
  if (measure.filters.some(looksForRows))
    return `the filters of '${measure.name}' look for rows of other objects, which a rollup cannot hold; leave the measure out`
  const typeAt = (ref: ColumnRef) => columnType(ref, context)
  if (heldAs(measure, object, (input) => valueType(input, typeAt, context.functions)) !== undefined) return undefined
  return `'${measure.name}' (${measure.aggregation}) cannot be computed from the values of groups; leave it out: questions for it read '${dataObject}'`
}

/** Everything that a build reads. */
interface Reads {
  readonly columns: readonly ColumnRef[]
  readonly expressions: readonly Expr<ColumnRef>[]
  readonly conditions: readonly ModelCondition[]
  readonly written: readonly unknown[]
  readonly parameters: ReadonlySet<string>
}

interface Built {
  readonly dimensions: readonly Kept[]
  readonly measures: readonly Measure[]
  readonly where: readonly unknown[]
  readonly reached: ReadonlySet<string>
}

function readsOf({ dimensions, measures, where, reached }: Built, ground: Ground): Reads {
  const { dataObjects, segments, filters } = ground
  const inWhere = segmentsIn(where, segments)
  const named = [...ground.dimensions.values()].filter(({ name }) => inWhere.names.has(name))
  const expressions = [
    ...[...dimensions.map(({ field }) => field), ...named].map(({ expression }) => expression),
    ...measures.flatMap(({ inputs }) => inputs),
  ]
  const conditions = [
    ...measures.flatMap((measure) => measure.filters),
    ...filters.filter(({ dataObject }) => reached.has(dataObject)).map(({ condition }) => condition),
  ]
  const read = [...expressions.flatMap((one) => leavesOf<ColumnRef>(one)), ...conditions.flatMap(columnsOfCondition)]
  const parameters = new Set([
    ...expressions.flatMap((one) => [...parametersIn(one, dataObjects)]),
    ...conditions.flatMap((one) => [...parametersInCondition(one, dataObjects)]),
    ...inWhere.parameters,
  ])
  return { columns: columnsBelow(read, ground), expressions, conditions, written: inWhere.written, parameters }
}

function refuseClock(
  { columns, expressions, conditions, written }: Reads & { readonly where: readonly unknown[] },
  path: Path,
  context: Context,
): void {
  const { faults, objects } = context
  const sources = columns.flatMap(({ object, column }) => objects.get(object)?.columns.get(column)?.source ?? [])
  const read = [...expressions, ...sources.flatMap((source) => (source.kind === 'expression' ? [source.expression] : []))]
  const inConditions = [...conditions, ...sources.flatMap((source) => (source.kind === 'exists' ? source.filters : []))]
  const found = [...read, ...inConditions.flatMap(expressionsOf)].map(clockOf).find((one) => one !== undefined)
  const reason = found ?? clockIn(written)
  if (reason === undefined) return
  const message = `The build reads ${reason}, so that the table would hold something else at another time; write the condition into questions, and leave it out here`
  faults.error('VOLATILE_ROLLUP', path, message, { onKey: true })
}

const expressionsOf = (condition: ModelCondition): readonly Expr<ColumnRef>[] => {
  if (condition.kind === 'expression') return [condition.expression]
  return condition.kind === 'leaf' ? [] : condition.filters.flatMap(expressionsOf)
}

/** What of the clock or of chance an expression reads. A function that only the engine knows may read both. */
function clockOf(expression: Expr<ColumnRef>): string | undefined {
  let found: string | undefined
  someNode<ColumnRef>(expression, (one) => {
    const node = nodeOf(one)
    if (node?.kind !== 'call' || (node.portable && node.name !== 'current_date')) return false
    found = node.portable ? 'the present (current_date)' : `'${node.name}', a function that only the database knows`
    return true
  })
  return found
}

function refuseParameters({ parameters }: Reads, path: Path, { faults, parameters: declared }: Context): void {
  for (const name of parameters) {
    if (declared.get(name)?.default !== undefined) continue
    const message = `The build reads the parameter '${name}', which has no default; give it one, or leave out what reads it`
    faults.error('PARAMETER_WITHOUT_DEFAULT', path, message, { onKey: true })
  }
}
