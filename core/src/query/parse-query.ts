/** From the input of a client to the canonical form. Names are not looked up here, because that needs a model. */
import { errorOf } from '../errors.js'
import type { GivenValue } from '../model/parameter.js'
import { COMPARISONS, type FilterValue } from '../model/semantic-model.js'
import { isRecord } from '../model/shape.js'
import { isZoneName, zoneFault, zonesMeant } from '../time-zones/zone-names.js'
import { readFilter } from './parse-filter.js'
import { checkSize, NO_LIMITS, type QueryLimits } from './query-limits.js'
import {
  type Grouping,
  type QueryColumn,
  type QueryCompare,
  type QueryDimension,
  type QueryMeasure,
  type QueryObject,
  type QueryOrder,
  type QueryTop,
  ROLLUP_CHOICES,
} from './query-object.js'
import { named, QueryReader } from './reader.js'

const KEYS = [
  'select',
  'where',
  'having',
  'order_by',
  'limit',
  'offset',
  'use_path_names',
  'allow_fan_out',
  'dimensions_exclude',
  'grouping',
  'strict_filters',
  'fill_gaps',
  'timezone',
  'top',
  'rows_of',
  'view',
  'parameters',
  'columns',
  'measures',
  'rollups',
  'compare',
] as const

/** Throws one `GrainlineError` with every finding in `details.findings`; its own code and path are those of the first. */
export function parseQuery(json: unknown, limits: QueryLimits = NO_LIMITS): QueryObject {
  checkSize(json, limits)
  const reader = new QueryReader()
  const query = readQuery(json, reader)
  const [first, ...others] = reader.findings
  if (first === undefined) return query!
  throw errorOf(first, others)
}

function readQuery(json: unknown, reader: QueryReader): QueryObject | undefined {
  const fields = reader.fields(json, KEYS, '')
  if (!fields) return undefined
  const filters = (key: 'where' | 'having') => reader.list(fields[key], key, (item, path) => readFilter(item, path, reader))
  const optional = dropUndefined({
    limit: reader.bound(fields.limit, 'limit'),
    offset: reader.bound(fields.offset, 'offset'),
    grouping: readGrouping(fields.grouping, reader),
    strict_filters: reader.flag(fields.strict_filters, 'strict_filters'),
    fill_gaps: readGaps(fields.fill_gaps, reader),
    timezone: readTimezone(fields.timezone, reader),
    top: readTop(fields.top, reader),
    rows_of: fields.rows_of === undefined ? undefined : reader.text(fields.rows_of, 'rows_of'),
    view: fields.view === undefined ? undefined : reader.text(fields.view, 'view'),
    parameters: readParameters(fields.parameters, reader),
    columns:
      fields.columns === undefined
        ? undefined
        : reader.list(fields.columns, 'columns', (item, path) => readColumn(item, path, reader)),
    measures: readMeasures(fields, reader),
    rollups: readRollups(fields.rollups, reader),
    compare: fields.compare === undefined ? undefined : readCompare(fields.compare, reader),
  })
  return {
    select: readSelect(fields.select, reader),
    where: filters('where'),
    having: filters('having'),
    order_by: reader.list(fields.order_by, 'order_by', (item, path) => readOrder(item, path, reader)),
    use_path_names: reader.list(fields.use_path_names, 'use_path_names', (item, path) => readPathName(item, path, reader)),
    allow_fan_out: reader.flag(fields.allow_fan_out, 'allow_fan_out') ?? false,
    dimensions_exclude: reader.flag(fields.dimensions_exclude, 'dimensions_exclude') ?? false,
    ...optional,
  }
}

function readRollups(value: unknown, reader: QueryReader): QueryObject['rollups'] {
  if (value === undefined) return undefined
  const choice = ROLLUP_CHOICES.find((one) => one === value)
  return choice ?? reader.report('INVALID_QUERY', 'rollups', `rollups is ${ROLLUP_CHOICES.map((one) => `'${one}'`).join(', ')}`)
}

const readGaps = (value: unknown, reader: QueryReader): QueryObject['fill_gaps'] =>
  value === 'range' ? value : reader.flag(value, 'fill_gaps', ", or 'range'")

function readSelect(value: unknown, reader: QueryReader): QueryObject['select'] {
  const none = { dimensions: [], measures: [], fields: [], distinct: false }
  if (value === undefined) {
    reader.report('INVALID_QUERY', '', "A query needs 'select', with dimensions, measures or fields")
    return none
  }
  const fields = reader.fields(value, ['dimensions', 'measures', 'fields', 'distinct'], 'select')
  if (!fields) return none
  const before = reader.findings.length
  const select = {
    dimensions: reader.list(fields.dimensions, 'select.dimensions', (item, path) => readDimension(item, path, reader)),
    measures: reader.list(fields.measures, 'select.measures', (item, path) => readSelectedMeasure(item, path, reader)),
    fields: reader.list(fields.fields, 'select.fields', (item, path) => reader.text(item, path)),
    distinct: reader.flag(fields.distinct, 'select.distinct') ?? false,
  }
  const count = select.dimensions.length + select.measures.length + select.fields.length
  if (count === 0 && reader.findings.length === before)
    reader.report('INVALID_QUERY', 'select', 'A query selects at least one dimension, measure or field')
  return select
}

/** The name of a measure; one that the query writes where it selects it has it in `as`, which `readMeasures` reports if it is missing. */
function readSelectedMeasure(value: unknown, path: string, reader: QueryReader): string | undefined {
  if (!isRecord(value)) return reader.text(value, path)
  return typeof value.as === 'string' && value.as !== '' ? value.as : undefined
}

/** The measures that a query writes in `measures`, and those that it writes where it selects them. */
function readMeasures(
  { measures, select }: Readonly<Record<string, unknown>>,
  reader: QueryReader,
): readonly QueryMeasure[] | undefined {
  const declared = reader.list(measures, 'measures', (item, path) => readMeasure(item, path, reader))
  const list = isRecord(select) && Array.isArray(select.measures) ? (select.measures as readonly unknown[]) : []
  const selected = list.flatMap((item, i) => (isRecord(item) ? (readMeasure(item, `select.measures[${i}]`, reader) ?? []) : []))
  const all = [...declared, ...selected]
  return all.length === 0 ? undefined : all
}

function readMeasure(value: unknown, path: string, reader: QueryReader): QueryMeasure | undefined {
  if (typeof value === 'string') {
    const say = `'measures' of a query has those that it writes itself; '${value.slice(0, 100)}' is selected by its name: write it inside 'select'`
    return reader.report('INVALID_QUERY', 'measures', say)
  }
  if (!isRecord(value)) {
    const say = "a measure of the query is an object with its name in 'as' and what a model writes of a measure or metric"
    return reader.report('INVALID_QUERY', path, `${path}: ${say}, not ${named(value)}`)
  }
  const { as, ...definition } = value
  const name = reader.text(as, `${path}.as`)
  return name === undefined ? undefined : { as: name, definition, path }
}

function readDimension(value: unknown, path: string, reader: QueryReader): QueryDimension | undefined {
  if (!isRecord(value)) {
    const text = reader.text(value, path)
    return text === undefined ? undefined : { kind: 'name', text }
  }
  if (Object.hasOwn(value, 'expression')) return readExpression(value, path, reader)
  if (Object.hasOwn(value, 'measure')) return readPer(value, path, reader)
  const fields = reader.fields(value, ['coalesce', 'as', 'grain'], path)
  if (!fields) return undefined
  if (fields.coalesce === undefined)
    return reader.report('INVALID_QUERY', path, `${path} needs 'coalesce', a list of dimensions, or 'expression'`)
  const members = reader.list(fields.coalesce, `${path}.coalesce`, (item, at) => reader.text(item, at))
  if (fields.as === undefined || fields.as === '')
    return reader.report('COALESCE_MISSING_ALIAS', path, "A coalesce dimension needs a name for its column: 'as'")
  const as = reader.text(fields.as, `${path}.as`)
  if (Array.isArray(fields.coalesce) && fields.coalesce.length < 2) {
    return reader.report('COALESCE_TOO_FEW_MEMBERS', `${path}.coalesce`, 'A coalesce dimension needs at least two members')
  }
  const grain = fields.grain === undefined ? undefined : reader.text(fields.grain, `${path}.grain`)
  return as === undefined ? undefined : { kind: 'coalesce', members, as, ...(grain !== undefined && { grain }) }
}

function readColumn(value: unknown, path: string, reader: QueryReader): QueryColumn | undefined {
  const fields = reader.fields(value, ['measure', 'per', 'as'], path)
  if (!fields) return undefined
  const measure = reader.text(fields.measure, `${path}.measure`)
  const per = reader.text(fields.per, `${path}.per`)
  const as = reader.text(fields.as, `${path}.as`)
  return measure === undefined || per === undefined || as === undefined ? undefined : { measure, per, as }
}

function readPer(value: unknown, path: string, reader: QueryReader): QueryDimension | undefined {
  const fields = reader.fields(value, ['measure', 'per', 'as', 'grain'], path)
  if (!fields) return undefined
  const measure = reader.text(fields.measure, `${path}.measure`)
  const per = reader.text(fields.per, `${path}.per`)
  const as = reader.text(fields.as, `${path}.as`)
  const grain = fields.grain === undefined ? undefined : reader.text(fields.grain, `${path}.grain`)
  if (measure === undefined || per === undefined || as === undefined) return undefined
  return { kind: 'per', measure, per, as, ...(grain !== undefined && { grain }) }
}

function readExpression(value: unknown, path: string, reader: QueryReader): QueryDimension | undefined {
  const fields = reader.fields(value, ['expression', 'as'], path)
  if (!fields) return undefined
  const expression = reader.text(fields.expression, `${path}.expression`)
  const as = reader.text(fields.as, `${path}.as`)
  return expression === undefined || as === undefined ? undefined : { kind: 'expression', expression, as }
}

function readOrder(value: unknown, path: string, reader: QueryReader): QueryOrder | undefined {
  const fields = reader.fields(value, ['field', 'direction', 'nulls', 'by'], path)
  if (!fields) return undefined
  const field = readOrderField(fields.field, `${path}.field`, reader)
  const direction = reader.choice(fields.direction, ['asc', 'desc'], `${path}.direction`) ?? 'asc'
  const nulls = reader.choice(fields.nulls, ['first', 'last'], `${path}.nulls`)
  const by = reader.choice(fields.by, ['value'], `${path}.by`)
  return field === undefined ? undefined : { field, direction, ...(nulls && { nulls }), ...(by && { by }) }
}

function readOrderField(value: unknown, path: string, reader: QueryReader): string | number | undefined {
  if (typeof value !== 'number') return reader.text(value, path)
  if (Number.isSafeInteger(value) && value >= 1) return value
  return reader.report('INVALID_ORDER_BY_POSITION', path, `A position counts from 1; ${value} is none`)
}

function readPathName(value: unknown, path: string, reader: QueryReader): QueryObject['use_path_names'][number] | undefined {
  const fields = reader.fields(value, ['source', 'target', 'path_name'], path)
  if (!fields) return undefined
  const [source, target, pathName] = ['source', 'target', 'path_name'].map((key) => reader.text(fields[key], `${path}.${key}`))
  return source === undefined || target === undefined || pathName === undefined
    ? undefined
    : { source, target, path_name: pathName }
}

function readGrouping(value: unknown, reader: QueryReader): Grouping | undefined {
  if (!isRecord(value)) return reader.choice(value, ['rollup', 'cube'], 'grouping')
  const fields = reader.fields(value, ['sets', 'of'], 'grouping')
  if (!fields) return undefined
  const of = reader.choice(fields.of, ['all', 'shown'], 'grouping.of') === 'shown' ? { of: 'shown' as const } : {}
  if (typeof fields.sets === 'string') {
    const levels = reader.choice(fields.sets, ['rollup', 'cube'], 'grouping.sets')
    return levels && { sets: levels, ...of }
  }
  const sets = reader.list(fields.sets, 'grouping.sets', (item, path) => {
    if (!Array.isArray(item))
      return reader.report('INVALID_QUERY', path, `${path} must be a list of dimensions, not ${named(item)}`)
    return { names: reader.list(item, path, (name, at) => reader.text(name, at)) }
  })
  if (fields.sets === undefined || (Array.isArray(fields.sets) && fields.sets.length === 0))
    return reader.report(
      'INVALID_QUERY',
      'grouping',
      "grouping needs 'sets': rollup, cube, or a list of lists of dimensions; [] is the grand total",
    )
  return { sets: sets.map(({ names }) => names), ...of }
}

function readTop(value: unknown, reader: QueryReader): QueryTop | undefined {
  if (value === undefined) return undefined
  const fields = reader.fields(value, ['dimension', 'by', 'n', 'order', 'others'], 'top')
  if (!fields) return undefined
  const [dimension, by] = [reader.text(fields.dimension, 'top.dimension'), reader.text(fields.by, 'top.by')]
  const n = readCount(fields.n, 'top.n', reader)
  const order = reader.choice(fields.order, ['asc', 'desc'], 'top.order') ?? 'desc'
  const others = fields.others === undefined ? undefined : reader.text(fields.others, 'top.others')
  if (dimension === undefined || by === undefined || n === undefined) return undefined
  return { dimension, by, n, order, ...(others !== undefined && { others }) }
}

/** Whether a value fits its parameter is checked with the model. */
function readParameters(value: unknown, reader: QueryReader): QueryObject['parameters'] {
  if (value === undefined) return undefined
  if (!isRecord(value)) return reader.report('INVALID_QUERY', 'parameters', `parameters must be an object, not ${named(value)}`)
  const given = Object.entries(value).flatMap(([name, entry]): [string, GivenValue][] => {
    const path = `parameters.${name}`
    if (Array.isArray(entry)) return [[name, reader.list(entry, path, (item, at) => readGiven(item, at, reader))]]
    const read = readGiven(entry, path, reader)
    return read === undefined ? [] : [[name, read]]
  })
  return Object.fromEntries(given)
}

function readGiven(value: unknown, path: string, reader: QueryReader): FilterValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return reader.report(
    'INVALID_PARAMETER_VALUE',
    path,
    'The value of a parameter is a text, a number, true, false, null, or a list of them',
  )
}

function readCompare(value: unknown, reader: QueryReader): QueryCompare | undefined {
  const fields = reader.fields(value, ['time', 'unit', 'count', 'show', 'until_now'], 'compare')
  if (!fields) return undefined
  const [time, unit] = [reader.text(fields.time, 'compare.time'), reader.text(fields.unit, 'compare.unit')]
  const count = fields.count === undefined ? 1 : readCount(fields.count, 'compare.count', reader)
  const shown = reader.list(fields.show, 'compare.show', (item, path) => reader.choice(item, COMPARISONS, path))
  const untilNow = reader.flag(fields.until_now, 'compare.until_now') ?? false
  if (time === undefined || unit === undefined || count === undefined) return undefined
  const show = shown.length > 0 ? [...new Set(shown)] : SHOWN
  return { time, unit, count, show, until_now: untilNow }
}

/** What a comparison shows unless it says otherwise. */
const SHOWN = ['previousValue', 'percentChange'] as const

function readCount(value: unknown, path: string, reader: QueryReader): number | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value
  return reader.report('INVALID_QUERY', path, `${path} must be a whole number, 1 or more`)
}

function readTimezone(value: unknown, reader: QueryReader): string | undefined {
  if (value === undefined) return undefined
  const zone = reader.text(value, 'timezone')
  if (zone === undefined || isZoneName(zone)) return zone
  return reader.report('INVALID_QUERY', 'timezone', zoneFault(zone), zonesMeant(zone))
}

function dropUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {}
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key] as Exclude<T[typeof key], undefined>
  return kept
}
