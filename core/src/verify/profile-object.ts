import { compile } from '../compile.js'
import { GrainlineError } from '../errors.js'
import { firstOf } from '../invariant.js'
import { asDecimal, type DataType, INT } from '../model/data-type.js'
import { leavesOf } from '../model/expression/ast.js'
import { type Dimension, isOffered, type Measure } from '../model/semantic-model.js'
import { parseQuery } from '../query/parse-query.js'
import { joinGraph } from '../resolve/join-graph.js'
import type { Value } from '../result/value-at.js'
import type { SelectItem } from '../sql/statement.js'
import { type BaseColumn, baseRows } from './base-rows.js'
import type { DimensionReport, MeasureReport } from './report.js'
import { numberAt, runStatement } from './run-statement.js'
import { aggregate, item, part, select } from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'

export interface Profile {
  readonly dimensions: readonly DimensionReport[]
  readonly measures: readonly MeasureReport[]
}

/** The dimensions and sums that are profiled over the rows of one object. */
export interface ProfileSubjects {
  readonly object: string
  readonly dimensions: readonly Dimension[]
  readonly sums: readonly PlannedSum[]
}

interface PlannedSum {
  readonly measure: Measure
  readonly base: string
  readonly type: DataType & { readonly kind: 'int' | 'decimal' }
}

/** One statement: the number of values of each dimension, and the largest values of each exact sum. */
export async function profileObject({ object, dimensions, sums }: ProfileSubjects, context: VerifyContext): Promise<Profile> {
  const wanted: BaseColumn[] = [
    ...dimensions.map((d, i) => ({ name: `dimension_${i + 1}`, expression: d.expression })),
    ...sums.map((s, i) => ({ name: `sum_${i + 1}`, expression: firstOf(s.measure.inputs) })),
  ]
  const base = baseRows({ object, name: 'object_rows', wanted }, context)
  const items = base.columns.flatMap(({ name, type, read }): SelectItem[] =>
    name.startsWith('dimension_')
      ? [item(name, { ...aggregate('count_distinct', [read], INT), distinct: true }, INT)]
      : [
          item(`${name}_rows`, aggregate('count', [read], INT), INT),
          item(`${name}_min`, aggregate('min', [read], type), type),
          item(`${name}_max`, aggregate('max', [read], type), type),
        ],
  )
  const body = select([item('row_total', aggregate('count', [], INT), INT), ...items], part('object_rows'))
  const [row] = await runStatement(base.ctes, body, context)
  const rows = numberAt(row, 'row_total')
  return {
    dimensions: dimensions.map(({ name }, i) => ({ name, distinct: numberAt(row, `dimension_${i + 1}`), rows })),
    measures: sums.map((sum, i) =>
      measureReport(sum, numberAt(row, `sum_${i + 1}_rows`), row?.get(`sum_${i + 1}_min`), row?.get(`sum_${i + 1}_max`)),
    ),
  }
}

/**
 * Dimensions by their data object, and exact sums by the object whose rows they add. Dimensions with a time grain need no profile, because
 * they have few values, and nobody chooses a hidden one.
 */
export function profileSubjects(context: VerifyContext): readonly ProfileSubjects[] {
  const { model } = context
  const dimensions = [...model.dimensions.values()].filter((d) => d.timeGrain === undefined && isOffered(d))
  const sums = [...model.measures.values()].flatMap((measure) => plannedSum(measure, context) ?? [])
  return [...model.dataObjects.values()]
    .filter((object) => object.nestedIn === undefined)
    .map((object) => ({
      object: object.name,
      dimensions: dimensions.filter((d) => d.dataObject === object.name),
      sums: sums.filter((s) => s.base === object.name),
    }))
    .filter(({ dimensions, sums }) => dimensions.length + sums.length > 0)
}

/** An exact sum with its type in a query; `undefined` for other measures, or if it cannot be selected alone. */
function plannedSum(measure: Measure, context: VerifyContext): PlannedSum | undefined {
  const { model, dialect, storedTypes, functions, aggregates, now } = context
  const [input] = measure.inputs
  if (measure.aggregation !== 'sum' || input === undefined || leavesOf(input).length === 0) return undefined
  try {
    const query = parseQuery({ select: { measures: [measure.name] } })
    const { columns, resolved } = compile(query, model, { dialect, functions, aggregates, now, storedTypes })
    const type = columns[0]?.type
    const [base] = resolved.fact_tables
    if (base === undefined || !model.dataObjects.has(base) || (type?.kind !== 'int' && type?.kind !== 'decimal')) return undefined
    // A value of several facts at their anchor is not a column of its rows.
    const graph = joinGraph(model, [])
    if (!leavesOf(input).every((ref) => graph.reaches(base, ref.object))) return undefined
    return { measure, base, type: type as PlannedSum['type'] }
  } catch (error) {
    if (error instanceof GrainlineError) return undefined
    throw error
  }
}

function measureReport(
  { measure, type }: PlannedSum,
  rows: number,
  min: Value | undefined,
  max: Value | undefined,
): MeasureReport {
  const farthest = greater(ceiling(min), ceiling(max))
  const { precision, scale } = asDecimal(type)
  const limit = type.kind === 'int' ? 2n ** 63n - 1n : 10n ** BigInt(precision - scale) - 1n
  return {
    name: measure.name,
    type: type.kind === 'int' ? 'int' : `decimal(${precision},${scale})`,
    rows,
    min: min == null ? null : String(min),
    max: max == null ? null : String(max),
    bound: (farthest * BigInt(rows)).toString(),
    limit: limit.toString(),
  }
}

/** The smallest integer that is at least as far from zero. */
function ceiling(value: Value | undefined): bigint {
  if (typeof value === 'bigint') return value < 0n ? -value : value
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.ceil(Math.abs(value))) : 0n
  const [, whole = '0', fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(String(value ?? '0')) ?? []
  return BigInt(whole) + (/[1-9]/.test(fraction) ? 1n : 0n)
}

function greater(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}
