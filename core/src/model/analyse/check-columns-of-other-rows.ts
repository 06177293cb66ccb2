import { entryOf, firstOf } from '../../invariant.js'
import { columnsBelow, columnsOfColumn, type Fields, fieldsBelow, isOfOtherRows } from '../columns-read.js'
import type { ColumnRef } from '../expression/ast.js'
import { sortGraph } from '../graph.js'
import { comparedOf } from '../join-term.js'
import type { Segments } from '../parse/locate.js'
import type { DataObject, MeasureSource, Metric } from '../semantic-model.js'
import { checkExistsColumns, existsColumnsOf } from './check-exists-columns.js'
import { checkWindowColumns, windowColumnsOf } from './check-window-columns.js'
import type { Context } from './context.js'

/** Reports columns over other rows that cannot be: a measure needs the key of its object, and a value that depends on no other row of an answer. */
export function* checkColumnsOfOtherRows(fields: Fields, context: Context): Generator<undefined> {
  const columns = measureColumnsOf(fields)
  for (const column of columns) {
    checkObject(column, context)
    checkMeasure(column, fields, context)
    checkPins(column, fields, context)
    yield
  }
  yield
  const existing = existsColumnsOf(fields)
  yield* checkExistsColumns(existing, fields, context)
  yield
  const windows = windowColumnsOf(fields)
  yield* checkWindowColumns(windows, fields, context)
  const ofOtherRows = [...columns, ...existing, ...windows].map(refOf)
  if (ofOtherRows.length === 0) return
  refuseInStructure(fields, context)
  yield* refuseCycles(ofOtherRows, fields, context)
}

const refOf = ({ object, name }: Pick<MeasureColumn, 'object' | 'name'>): ColumnRef => ({
  kind: 'column',
  object: object.name,
  column: name,
})

interface MeasureColumn {
  readonly object: DataObject
  readonly name: string
  readonly source: MeasureSource
}

const measureColumnsOf = ({ dataObjects }: Fields): readonly MeasureColumn[] =>
  [...dataObjects.values()].flatMap((object) =>
    [...object.columns.values()].flatMap(({ name, source }) => (source.kind === 'measure' ? [{ object, name, source }] : [])),
  )

const placeOf = ({ object, name }: MeasureColumn): Segments => ['dataObjects', object.name, 'columns', name]

function checkObject(column: MeasureColumn, { faults }: Context): void {
  const { object, name } = column
  if (object.key.length === 0) {
    const message = `'${name}' is a measure for each row of '${object.name}', whose rows have no key; mark the key columns with primaryKey`
    faults.error('KEY_REQUIRED', placeOf(column), message, { onKey: true })
  }
  if (object.calendar?.generated) {
    const message = `'${object.name}' is a generated calendar, whose columns are functions of its days; use the measure in a query by day`
    faults.error('INVALID_COLUMN', placeOf(column), message, { onKey: true })
  }
}

const OVER_ROWS: ReadonlySet<Metric['type']> = new Set(['window', 'cumulative', 'period_over_period'])

/** No part of it may read other rows of an answer. */
function checkMeasure(column: MeasureColumn, fields: Fields, { faults }: Context): void {
  const refuse = (message: string): void => faults.error('INVALID_COLUMN', [...placeOf(column), 'measure'], message)
  for (const name of fieldsBelow(column.source.measure, fields)) {
    const metric = fields.metrics.get(name)
    if (metric && OVER_ROWS.has(metric.type))
      refuse(`'${name}' depends on other rows of an answer (${metric.type}), and a column has no answer around it`)
  }
}

function checkPins(column: MeasureColumn, { dataObjects }: Fields, { faults }: Context): void {
  for (const [i, { source, target, pathName }] of column.source.pins.entries()) {
    const named = (dataObjects.get(source)?.joins ?? []).filter((join) => join.to === target && join.pathName !== undefined)
    if (named.some((join) => join.pathName === pathName)) continue
    faults.unknown('UNKNOWN_PATH_NAME', [...placeOf(column), 'usePathNames', i, 'pathName'], {
      message: `'${source}' has no join to '${target}' with the name '${pathName}'`,
      name: pathName,
      known: named.flatMap((join) => join.pathName ?? []),
    })
  }
}

/** Columns that say which rows belong together are stored ones. */
function refuseInStructure(fields: Fields, { faults }: Context): void {
  const refused = new Set<string>()
  for (const { name: object, key, uniqueKeys, weight, calendar, closure, joins } of fields.dataObjects.values()) {
    const uses = [
      ...[key, ...uniqueKeys].flat().map((column) => ({ object, column, use: `a key of '${object}'` })),
      ...joins.flatMap(({ from, to, on }) => [
        ...comparedOf(on, 'from').map((column) => ({ object: from, column, use: `the join from '${from}' to '${to}'` })),
        ...comparedOf(on, 'to').map((column) => ({ object: to, column, use: `the join from '${from}' to '${to}'` })),
      ]),
      ...(weight === undefined ? [] : [{ object, column: weight, use: `the weight of '${object}'` }]),
      ...(closure
        ? [closure.key, closure.parent].map((column) => ({ object: closure.dataObject, column, use: `the closure '${object}'` }))
        : []),
      ...(calendar ? [{ object, column: calendar.key, use: `the calendar '${object}'` }] : []),
    ]
    for (const { use, ...ref } of uses) {
      const column = columnsBelow([{ kind: 'column', ...ref }], fields).find((one) => isOfOtherRows(one, fields))
      if (!column || refused.has(`${column.object}\0${column.column}`)) continue
      refused.add(`${column.object}\0${column.column}`)
      const message = `'${column.object}.${column.column}' depends on other rows, and ${use} reads it; which rows belong together must not depend on what is counted`
      faults.error('INVALID_COLUMN', ['dataObjects', column.object, 'columns', column.column], message, { onKey: true })
    }
  }
}

/** A column over other rows that is computed from itself, through filters and dimensions, too. */
function* refuseCycles(ofOtherRows: readonly ColumnRef[], fields: Fields, { faults }: Context): Generator<undefined> {
  const refs = new Map<string, ColumnRef>()
  const node = (ref: ColumnRef): string => {
    const name = `${ref.object}.${ref.column}`
    refs.set(name, ref)
    return name
  }
  const start = ofOtherRows.map(node)
  const { cycles } = yield* sortGraph(start, (name) => columnsOfColumn(entryOf(refs, name), fields).map(node))
  for (const cycle of cycles) {
    const first = entryOf(refs, cycle.find((name) => isOfOtherRows(entryOf(refs, name), fields)) ?? firstOf(cycle))
    const circle = [...cycle, firstOf(cycle)].map((name) => `'${name}'`).join(' → ')
    const message = `These columns use each other: ${circle}`
    const { kind } = entryOf(entryOf(fields.dataObjects, first.object).columns, first.column).source
    faults.error('CYCLIC_COMPUTED_COLUMN', ['dataObjects', first.object, 'columns', first.column, kind], message)
  }
}
