/** A model in which some objects, columns and fields have other names, wherever it names them. Nothing else changes. */
import { type ColumnRef, type Expr, type FieldRef, mapLeaves } from './expression/ast.js'
import { mapTerm } from './join-term.js'
import type {
  Column,
  DataObject,
  Dimension,
  ExistsTest,
  Join,
  Measure,
  MeasureGrain,
  Metric,
  ModelCondition,
  Restriction,
  SemanticModel,
  StaticFilter,
  WindowSource,
} from './semantic-model.js'
import { mapSymbols, type Unit } from './unit/unit.js'

/** The new names; the same ones for what is not renamed. */
export interface Renaming {
  readonly object: (name: string) => string
  /** Both by the names before. */
  readonly column: (object: string, column: string) => string
  /** Of a dimension, measure or metric. */
  readonly field: (name: string) => string
}

export function renamed(model: SemanticModel, names: Renaming): SemanticModel {
  const { settings, dataObjects, dimensions, measures, metrics, filters, restriction } = model
  const { mainFact } = settings
  const filter = <F extends StaticFilter>(one: F): F => ({
    ...one,
    dataObject: names.object(one.dataObject),
    condition: ofCondition(one.condition, names),
  })
  return {
    ...model,
    settings: { ...settings, mainFact: mainFact === undefined ? undefined : names.object(mainFact) },
    dataObjects: new Map([...dataObjects].map(([name, object]) => [names.object(name), ofObject(object, names)])),
    dimensions: new Map([...dimensions.values()].map((one) => [names.field(one.name), ofDimension(one, names)])),
    measures: new Map([...measures.values()].map((one) => [names.field(one.name), ofMeasure(one, names)])),
    metrics: new Map([...metrics.values()].map((one) => [names.field(one.name), ofMetric(one, names)])),
    filters: filters.map(filter),
    ...(restriction && { restriction: ofRestriction(restriction, names, filter) }),
  }
}

const ofRestriction = (
  { rows, removesFrom, ...rest }: Restriction,
  { object }: Renaming,
  filter: <F extends StaticFilter>(one: F) => F,
): Restriction => ({ ...rest, rows: rows.map(filter), removesFrom: new Set([...removesFrom].map(object)) })

const ofRef = (ref: ColumnRef, { object, column }: Renaming): ColumnRef => ({
  ...ref,
  object: object(ref.object),
  column: column(ref.object, ref.column),
})

const ofExpression = (expression: Expr<ColumnRef>, names: Renaming): Expr<ColumnRef> =>
  mapLeaves<ColumnRef, ColumnRef>(expression, (ref) => ofRef(ref, names))

function ofObject(object: DataObject, names: Renaming): DataObject {
  const own = (column: string): string => names.column(object.name, column)
  const { columns, key, uniqueKeys, joins, nestedIn, weight, calendar, closure } = object
  return {
    ...object,
    name: names.object(object.name),
    columns: new Map([...columns.values()].map((column) => [own(column.name), ofColumn(column, own(column.name), names)])),
    key: key.map(own),
    uniqueKeys: uniqueKeys.map((one) => one.map(own)),
    joins: joins.map((join) => ofJoin(join, names)),
    nestedIn: nestedIn && {
      dataObject: names.object(nestedIn.dataObject),
      column: names.column(nestedIn.dataObject, nestedIn.column),
    },
    weight: weight === undefined ? undefined : own(weight),
    closure: closure && {
      ...closure,
      dataObject: names.object(closure.dataObject),
      key: names.column(closure.dataObject, closure.key),
      parent: names.column(closure.dataObject, closure.parent),
    },
    calendar: calendar && {
      ...calendar,
      key: own(calendar.key),
      periods: new Map([...calendar.periods].map(([column, period]) => [own(column), period])),
    },
  }
}

function ofColumn(column: Column, name: string, names: Renaming): Column {
  const { source, unit } = column
  const own = { ...column, ...(unit && { unit: ofUnit(unit, names) }) }
  if (source.kind === 'expression')
    return { ...own, name, source: { ...source, expression: ofExpression(source.expression, names) } }
  if (source.kind === 'exists') return { ...own, name, source: { ...source, ...ofTest(source, names) } }
  if (source.kind === 'window') return { ...own, name, source: ofWindow(source, names) }
  if (source.kind !== 'measure') return { ...own, name }
  const pins = source.pins.map((pin) => ({ ...pin, source: names.object(pin.source), target: names.object(pin.target) }))
  return { ...own, name, source: { ...source, measure: names.field(source.measure), pins } }
}

const ofTest = ({ target, filters }: ExistsTest, names: Renaming): Pick<ExistsTest, 'target' | 'filters'> => ({
  target: names.object(target),
  filters: filters.map((filter) => ofCondition(filter, names)),
})

const ofWindow = (source: WindowSource, names: Renaming): WindowSource => ({
  ...source,
  partitionBy: source.partitionBy.map((ref) => ofRef(ref, names)),
  orderBy: source.orderBy.map((ref) => ofRef(ref, names)),
  column: source.column && ofRef(source.column, names),
  filters: source.filters.map((filter) => ofCondition(filter, names)),
})

const ofUnit = (unit: Unit, { object, column }: Renaming): Unit =>
  mapSymbols(unit, (symbol) =>
    symbol.kind === 'column'
      ? { ...symbol, object: object(symbol.object), column: column(symbol.object, symbol.column) }
      : symbol,
  )

const ofJoin = (join: Join, { object, column }: Renaming): Join => ({
  ...join,
  from: object(join.from),
  to: object(join.to),
  on: join.on.map((term) => mapTerm(term, { from: (name) => column(join.from, name), to: (name) => column(join.to, name) })),
})

function ofCondition(condition: ModelCondition, names: Renaming): ModelCondition {
  switch (condition.kind) {
    case 'leaf':
      return { ...condition, column: ofRef(condition.column, names) }
    case 'expression':
      return { ...condition, expression: ofExpression(condition.expression, names) }
    case 'exists':
      return {
        ...condition,
        ...ofTest(condition, names),
        subject: { ...condition.subject, object: names.object(condition.subject.object) },
      }
    case 'group':
      return { ...condition, filters: condition.filters.map((member) => ofCondition(member, names)) }
  }
}

const ofUse = (use: string | undefined, { field }: Renaming): string | undefined => (use === undefined ? undefined : field(use))

/** The order of a column that has another name is not the order of what is shown. */
function ofDimension(dimension: Dimension, names: Renaming): Dimension {
  const { name, dataObject, expression, column, sortBy, hierarchy, use } = dimension
  const sorting = sortBy && ofRef(sortBy, names)
  const isSorted = sorting !== undefined && sorting.column === sortBy?.column
  return {
    ...dimension,
    name: names.field(name),
    dataObject: names.object(dataObject),
    expression: ofExpression(expression, names),
    column: column === undefined ? undefined : names.column(dataObject, column),
    sortBy: isSorted ? sorting : undefined,
    hierarchy: hierarchy.map(names.field),
    use: ofUse(use, names),
  }
}

function ofMeasure(measure: Measure, names: Renaming): Measure {
  const { name, inputs, filters, withinGroup, orderBy, grain, filterContext, semiAdditive, unit, use, rowCountOf, anchor } =
    measure
  return {
    ...measure,
    ...(unit && { unit: ofUnit(unit, names) }),
    name: names.field(name),
    rowCountOf: rowCountOf === undefined ? undefined : names.object(rowCountOf),
    anchor: anchor === undefined ? undefined : names.object(anchor),
    inputs: inputs.map((input) => ofExpression(input, names)),
    filters: filters.map((filter) => ofCondition(filter, names)),
    withinGroup: withinGroup && { ...withinGroup, column: ofRef(withinGroup.column, names) },
    orderBy: orderBy.map((one) => ({ ...one, column: ofRef(one.column, names) })),
    grain: grain && ofLevel(grain, names),
    filterContext: filterContext && ofLevel(filterContext, names),
    semiAdditive: semiAdditive && {
      ...semiAdditive,
      timeDimension: names.field(semiAdditive.timeDimension),
      per: semiAdditive.per.map(names.field),
    },
    use: ofUse(use, names),
  }
}

const ofLevel = ({ include, exclude, keepOnly, ...rest }: MeasureGrain, { field }: Renaming): MeasureGrain => ({
  ...rest,
  include: include.map(field),
  exclude: exclude.map(field),
  keepOnly: keepOnly.map(field),
})

const ofMetric = (metric: Metric, names: Renaming): Metric => ({
  ...ofParts(metric, names),
  name: names.field(metric.name),
  use: ofUse(metric.use, names),
})

function ofParts(metric: Metric, names: Renaming): Metric {
  const { field } = names
  const maybe = (name: string | undefined): string | undefined => (name === undefined ? undefined : field(name))
  const over = (expression: Expr<FieldRef>): Expr<FieldRef> =>
    mapLeaves<FieldRef, FieldRef>(expression, (leaf) => ({ ...leaf, name: field(leaf.name) }))
  switch (metric.type) {
    case 'derived':
      return { ...metric, expression: over(metric.expression) }
    case 'window':
      return {
        ...metric,
        measure: field(metric.measure),
        timeDimension: maybe(metric.timeDimension),
        partitionBy: metric.partitionBy.map(field),
      }
    case 'period_over_period':
      return {
        ...metric,
        expression: over(metric.expression),
        timeDimension: field(metric.timeDimension),
        offsetPeriods: metric.offsetPeriods && ofRef(metric.offsetPeriods, names),
      }
    case 'cumulative':
      return {
        ...metric,
        measure: field(metric.measure),
        timeDimension: field(metric.timeDimension),
        partitionBy: metric.partitionBy?.map(field),
      }
    case 'aggregate':
      return { ...metric, measure: field(metric.measure), per: metric.per.map(field) }
    case 'conversion':
      return {
        ...metric,
        base: field(metric.base),
        conversion: field(metric.conversion),
        entity: field(metric.entity),
        timeDimension: maybe(metric.timeDimension),
        conversionTimeDimension: maybe(metric.conversionTimeDimension),
      }
    case 'funnel':
      return {
        ...metric,
        entity: field(metric.entity),
        steps: metric.steps.map(({ measure, timeDimension }) => ({
          measure: field(measure),
          timeDimension: field(timeDimension),
        })),
      }
  }
}
