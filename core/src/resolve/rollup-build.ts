/** The query whose answer a rollup table holds, and the model of its columns. */
import { hiddenName } from '../hidden-name.js'
import { entryOf, itemAt } from '../invariant.js'
import { fieldsBelow } from '../model/columns-read.js'
import type { ColumnRef } from '../model/expression/ast.js'
import { valueType } from '../model/expression/value-type.js'
import type { FunctionSpec } from '../model/functions/function-spec.js'
import { plainMeasure } from '../model/plain-measure.js'
import { Codes, heldAs } from '../model/rollup-parts.js'
import type { Dimension, Measure, ModelCondition, Rollup, RollupDimension, SemanticModel } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'
import { isSame } from '../same.js'
import { sha256 } from '../sha256.js'
import { columnOf, objectOf } from './resolved-query.js'
import { filtersOf } from './views.js'

/** Rows of the base that meet some filters, and the column with their number. */
export interface RowSetPart {
  readonly code: string
  readonly filters: readonly ModelCondition[]
}

/** A value of each group. */
export interface ValuePart {
  readonly code: string
  readonly aggregation: string
  readonly inputs: Measure['inputs']
  /** The rows of which it is. */
  readonly of: RowSetPart
}

export interface RollupBuild {
  readonly rollup: Rollup
  /** The model, with a field for each column of the table. */
  readonly model: SemanticModel
  readonly query: QueryObject
  /** The columns of its dimensions, in the order of the rollup. */
  readonly keys: readonly string[]
  /** All columns of the table, in the order of the query. */
  readonly columns: readonly string[]
  /** The columns of its measures, by the names that these have in the model. */
  readonly codeOf: ReadonlyMap<string, string>
  /** All rows first, then those of each different list of filters. */
  readonly rowSets: readonly RowSetPart[]
  readonly values: readonly ValuePart[]
}

const known = new WeakMap<SemanticModel, Map<Rollup, RollupBuild>>()

/** The same for the same model and rollup, because what is found about a model is kept by it. Throws the errors of its conditions. */
export function rollupBuild(rollup: Rollup, model: SemanticModel, functions: ReadonlyMap<string, FunctionSpec>): RollupBuild {
  const builds = known.get(model) ?? new Map<Rollup, RollupBuild>()
  known.set(model, builds)
  const found = builds.get(rollup) ?? made(rollup, model, functions)
  builds.set(rollup, found)
  return found
}

function made(rollup: Rollup, model: SemanticModel, functions: ReadonlyMap<string, FunctionSpec>): RollupBuild {
  const dimensions = rollup.dimensions.map((kept, i) => selected(kept, i, model))
  const parts = partsOf(rollup, model, functions)
  const base = rollup.dataObject
  const { rowSets, values } = parts
  const measures = [
    ...rowSets.map(({ filters }) => ({ ...plainMeasure('', 'count', []), rowCountOf: base, filters })),
    ...values.map(({ aggregation, inputs, of }) => ({ ...plainMeasure('', aggregation, inputs), filters: of.filters })),
  ].map((measure, i): Measure => ({ ...measure, name: nameOf('measure', i), anchor: base }))
  const keys = rollup.dimensions.map(({ code }) => code)
  const codes = [...rowSets, ...values].map(({ code }) => code)
  return {
    rollup,
    model: {
      ...model,
      // The types of parts are those of their aggregates.
      settings: { ...model.settings, defaultNumericDataType: undefined },
      dimensions: new Map([...model.dimensions, ...dimensions.map((one): [string, Dimension] => [one.name, one])]),
      // Columns may be measures of the model.
      measures: new Map([...model.measures, ...measures.map((one): [string, Measure] => [one.name, one])]),
      rollups: new Map(),
    },
    query: {
      select: {
        dimensions: dimensions.map(({ name }) => ({ kind: 'name', text: name })),
        measures: measures.map(({ name }) => name),
        fields: [],
        distinct: false,
      },
      where: filtersOf('rollup', rollup.name, rollup.where),
      ...{ having: [], order_by: [], use_path_names: [], allow_fan_out: false, dimensions_exclude: false },
    },
    keys,
    columns: [...keys, ...codes],
    codeOf: new Map(measures.map(({ name }, i) => [name, itemAt(codes, i)])),
    ...parts,
  }
}

/** A dimension at its grain, under a name that no condition of the rollup means. */
function selected({ field, grain }: RollupDimension, i: number, { dimensions }: SemanticModel): Dimension {
  return {
    ...entryOf(dimensions, field),
    name: nameOf('dimension', i),
    timeGrain: grain,
    sequence: undefined,
    sortBy: undefined,
    format: undefined,
  }
}

function nameOf(what: 'dimension' | 'measure', i: number): string {
  const digest = sha256()
  digest.update(`${what} ${i} of a rollup`)
  return hiddenName(digest.hex())
}

type Parts = Pick<RollupBuild, 'rowSets' | 'values'>

function partsOf(
  { measures, dataObject, dimensions, codes: names }: Rollup,
  model: SemanticModel,
  functions: ReadonlyMap<string, FunctionSpec>,
): Parts {
  const codes = new Codes()
  for (const { code } of dimensions) codes.take(code)
  const rowSets: RowSetPart[] = [{ code: codes.take('row_count'), filters: [] }]
  const values: ValuePart[] = []
  const rowsOf = (filters: readonly ModelCondition[]): RowSetPart => {
    const found = rowSets.find((one) => isSameFilters(one.filters, filters))
    if (found) return found
    const added = { code: codes.take('row_count'), filters }
    rowSets.push(added)
    return added
  }
  const add = (code: string, part: Omit<ValuePart, 'code'>): void => {
    if (!values.some(({ code: _, ...one }) => isSame(one, part))) values.push({ code: codes.take(code), ...part })
  }
  const base = objectOf(model, dataObject)
  const typeOf = (input: Measure['inputs'][number]) => valueType(input, (ref: ColumnRef) => columnOf(model, ref).type, functions)
  for (const measure of atomsOf(measures, model)) {
    const { name, aggregation, inputs } = measure
    const code = entryOf(names, name)
    const of = rowsOf(measure.filters.map(plainCondition))
    const held = heldAs(measure, base, typeOf)
    if (held === 'value') add(code, { aggregation, inputs, of })
    if (held === 'average') {
      add(`${code}_sum`, { aggregation: 'sum', inputs, of })
      add(`${code}_count`, { aggregation: 'count', inputs, of })
    }
  }
  return { rowSets, values }
}

const atomsOf = (names: readonly string[], model: SemanticModel): readonly Measure[] => [
  ...new Set(names.flatMap((name) => fieldsBelow(name, model).flatMap((one) => model.measures.get(one) ?? []))),
]

/** A condition without the place where it is written. */
export function plainCondition(condition: ModelCondition): ModelCondition {
  switch (condition.kind) {
    case 'leaf':
      return { ...condition, path: '' }
    case 'expression':
      return condition
    case 'group':
    case 'exists':
      return { ...condition, filters: condition.filters.map(plainCondition) }
  }
}

/** The same conditions in any order. */
const isSameFilters = (a: readonly ModelCondition[], b: readonly ModelCondition[]): boolean =>
  a.length === b.length && a.every((one) => b.some((other) => isSame(one, other)))
