/** The columns of a rollup table, and the model in which they are the columns of its data object. */
import { fail } from '../../errors.js'
import { entryOf, itemAt } from '../../invariant.js'
import { type DataType, INT, isTemporal } from '../../model/data-type.js'
import type { ColumnRef } from '../../model/expression/ast.js'
import type { Grain } from '../../model/grain.js'
import type { Column, DataObject, Rollup, SemanticModel, TableSource } from '../../model/semantic-model.js'
import type { JoinGraph } from '../../resolve/join-graph.js'
import { resolveQuery } from '../../resolve/resolve-query.js'
import type { AggregateQuery, Conjunct, FieldSource, ResolveOptions } from '../../resolve/resolved-query.js'
import { objectOf } from '../../resolve/resolved-query.js'
import { type RollupBuild, rollupBuild } from '../../resolve/rollup-build.js'
import { isSame } from '../../same.js'
import type { StoredAs } from '../bind-context.js'
import { blockRequests } from '../block-requests.js'
import { atFineness } from '../in-days.js'

/** A dimension of a table: the value of a field, or its period. */
export interface HeldDimension {
  /** As a column of the data object whose rows are those of the table. */
  readonly ref: ColumnRef
  readonly source: FieldSource
  readonly grain: Grain | undefined
  readonly type: DataType
}

export interface HeldTable {
  readonly build: RollupBuild
  readonly base: DataObject
  readonly dimensions: readonly HeldDimension[]
  /** Columns of the data object that are dimensions as they are, and the columns of the table. */
  readonly plain: ReadonlyMap<string, HeldDimension>
  /** The conditions on its rows. */
  readonly where: readonly Conjunct[]
  /** The joins by which it is built. */
  readonly graph: JoinGraph
  /** The other columns: numbers of rows and values, by their names in the table. */
  readonly types: ReadonlyMap<string, DataType>
}

export interface TableContext {
  readonly model: SemanticModel
  /** The time zone of the question, if it names one. */
  readonly timezone: string | undefined
  readonly options: Pick<ResolveOptions, 'functions' | 'aggregates' | 'now'>
  readonly storedAs: StoredAs
}

const tables = new WeakMap<SemanticModel, Map<Rollup, Map<string | undefined, HeldTable>>>()

/** The table of a rollup, as it is built for a question. Throws what a query for it throws, and `INVALID_ROLLUP`. */
export function heldTable(rollup: Rollup, context: TableContext): HeldTable {
  const { model, timezone } = context
  const found = tables.get(model)?.get(rollup)?.get(timezone)
  if (found) return found
  const ofModel = tables.get(model) ?? new Map<Rollup, Map<string | undefined, HeldTable>>()
  const ofRollup = ofModel.get(rollup) ?? new Map<string | undefined, HeldTable>()
  const held = made(rollup, context)
  tables.set(model, ofModel.set(rollup, ofRollup.set(timezone, held)))
  return held
}

function made(rollup: Rollup, { model, timezone, options, storedAs }: TableContext): HeldTable {
  const build = rollupBuild(rollup, model, options.functions)
  const query = resolvedBuild(build, timezone, options)
  const base = objectOf(model, rollup.dataObject)
  const dimensions = build.keys.map((code, i): HeldDimension => {
    const { members, grain, type } = itemAt(query.dimensions, i)
    return { ref: tableColumn(base.name, code), source: members[0], grain, type }
  })
  // A key is read by the clocks of the data, and a converted time by those of the query.
  const isAsStored = ({ source: { expression, type } }: HeldDimension): boolean =>
    expression.kind === 'column' && !(isTemporal(type) && storedAs(base.name, entryOf(base.columns, expression.column)))
  return {
    build,
    base,
    dimensions,
    plain: new Map(
      dimensions.flatMap((one) => {
        const { object, via, expression } = one.source
        const isPlain = object === base.name && via === undefined && one.grain === undefined
        return isPlain && expression.kind === 'column' && expression.object === base.name && isAsStored(one)
          ? [[expression.column, one] as const]
          : []
      }),
    ),
    where: query.where,
    graph: query.graph,
    types: new Map(query.aggregates.map(({ measure, type }) => [entryOf(build.codeOf, measure.name), type])),
  }
}

/** The query of a build by its names. Its rows are those of one block without bridges. */
export function resolvedBuild(
  { rollup, query, model }: Pick<RollupBuild, 'rollup' | 'query' | 'model'>,
  timezone: string | undefined,
  options: TableContext['options'],
): AggregateQuery {
  const asked = { ...query, ...(timezone !== undefined && { timezone }) }
  const resolved = resolveQuery(asked, model, { ...options, defaultLimit: undefined })
  if (resolved.kind !== 'aggregate') return fail('INTERNAL_ERROR', `the build of '${rollup.name}' is no list of aggregates`)
  const requests = atFineness(blockRequests(resolved), resolved).map(({ request }) => request)
  if (
    requests.length !== 1 ||
    requests.some(({ base, bridges, inDays }) => base !== rollup.dataObject || bridges.size > 0 || inDays)
  ) {
    const message = `the rows of rollup '${rollup.name}' are not those of '${rollup.dataObject}': a field of it counts other rows, is reached through a bridge, or is spread over days`
    fail('INVALID_ROLLUP', message, { path: `rollups.${rollup.name}` })
  }
  if (resolved.clockUnits.length > 0)
    fail('VOLATILE_ROLLUP', `the build of rollup '${rollup.name}' reads the present`, { path: `rollups.${rollup.name}` })
  return resolved
}

/** No document can write this name. */
export const tableColumn = (object: string, code: string): ColumnRef => ({ kind: 'column', object, column: `\u0000${code}` })

const models = new WeakMap<
  HeldTable,
  { readonly of: SemanticModel; readonly source: TableSource; readonly made: SemanticModel }
>()

/** The model in which the rows of the data object are those of the table: with its columns, and those that are computed from them. */
export function modelOfTable(table: HeldTable, model: SemanticModel, source: TableSource): SemanticModel {
  const known = models.get(table)
  if (known?.of === model && isSame(known.source, source)) return known.made
  const made = madeModel(table, model, source)
  models.set(table, { of: model, source, made })
  return made
}

function madeModel(
  { build, base, dimensions, plain, types }: HeldTable,
  model: SemanticModel,
  source: TableSource,
): SemanticModel {
  const [template] = base.columns.values()
  if (!template) return fail('INTERNAL_ERROR', `'${base.name}' has no columns`)
  const columnOf = (of: Column, name: string, code: string, type: DataType): [string, Column] => [
    name,
    { ...of, name, type, source: { kind: 'physical', code }, isTyped: true, sqlType: undefined, primaryKey: false },
  ]
  const stored = [...base.columns.values()].flatMap((column): readonly [string, Column][] => {
    const held = plain.get(column.name)
    if (held) return [columnOf(column, column.name, codeOfColumn(held.ref), column.type)]
    return column.source.kind === 'expression' ? [[column.name, column]] : []
  })
  const ofTable = [
    ...dimensions.map(({ ref, type }) => columnOf(template, ref.column, codeOfColumn(ref), type)),
    ...[...build.rowSets, ...build.values].map(({ code }) =>
      columnOf(template, tableColumn(base.name, code).column, code, types.get(code) ?? INT),
    ),
  ]
  const object: DataObject = {
    ...base,
    source,
    columns: new Map([...stored, ...ofTable]),
    ...{ key: [], uniqueKeys: [], nestedIn: undefined, calendar: undefined },
  }
  return { ...model, dataObjects: new Map([...model.dataObjects, [base.name, object]]) }
}

const codeOfColumn = ({ column }: ColumnRef): string => column.slice(1)
