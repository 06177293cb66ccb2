import { fittingRows } from '../answer/fitting-rows.js'
import { ApiError } from '../api/api-error.js'
import type { Compiled, Executed, PlanNode, Receipt, TimeRange } from '../api/shapes.js'
import { chosenModel, type World } from '../world.js'
import { OPERATORS } from './operators.js'
import { type Answer, MODEL, READS, strings, type Tool } from './tool.js'

interface Arguments {
  readonly dimensions?: readonly string[]
  readonly measures?: readonly string[]
  readonly where?: readonly object[]
  readonly having?: readonly object[]
  readonly order_by?: readonly object[]
  readonly limit?: number
  readonly timezone?: string
  readonly more?: Readonly<Record<string, unknown>>
  readonly mode?: 'run' | 'compile' | 'explain' | 'help'
  readonly receipt?: boolean
  readonly dialect?: string
  readonly model?: string
}

const objects = { type: 'array', items: { type: 'object' } }

/** What an agent seldom needs. It is told when it asks, because every question would pay for it. */
const HELP = () =>
  [
    'where and having: {field, op, value}, {segment}, {expression}, {logic: "or", filters: […]}; or_missing: true keeps NULL',
    `op: ${OPERATORS}; relative takes {unit, count, direction: past|future}`,
    `more: ${MORE}`,
    'mode: run, compile (SQL, for dialect), explain (the plan). receipt: true adds definitions, filters, times, version and when the data were read',
  ].join('\n')
const MORE =
  'offset, grouping, top, fill_gaps, compare, parameters, view, rollups, rows_of, use_path_names, strict_filters, allow_fan_out, dimensions_exclude, fields, distinct, columns: grainline://reference/query'

export const query: Tool<Arguments> = {
  name: 'query',
  title: 'Ask',
  description: 'Rows, 100 without limit. Times take a grain: "Date:month". mode help: all operators, keys of more.',
  annotations: READS,
  input: {
    dimensions: strings,
    measures: { ...strings, description: 'And metrics' },
    where: { ...objects, description: '{field, op, value}; op = != > >= < <= in between contains is_null' },
    having: objects,
    order_by: { ...objects, description: '{field, direction: asc|desc}' },
    limit: { type: 'integer', maximum: 10_000 },
    timezone: { type: 'string' },
    more: { type: 'object' },
    mode: { enum: ['run', 'compile', 'explain', 'help'] },
    dialect: { type: 'string' },
    receipt: { type: 'boolean' },
    ...MODEL,
  },
  run: async (given, world, call) => {
    if (given.mode === 'help') return { text: HELP() }
    if (!given.dimensions?.length && !given.measures?.length && !given.more) throw nothingSelected()
    const { mode = 'run', dialect, model } = given
    const target = await chosenModel(model, world, call)
    const body = {
      ...target,
      query: questionOf(given, mode === 'run' ? world.limits.rows : undefined),
      ...(dialect && { dialect }),
    }
    if (mode === 'run') return rowsOf(await world.api.post<Executed>('/v1/query/execute?receipt=true', body, call), given, world)
    const compiled = await world.api.post<Compiled>('/v1/query/sql', body, call)
    return { text: mode === 'compile' ? sqlText(compiled) : planText(compiled) }
  },
}

const nothingSelected = () =>
  new ApiError({
    code: 'EMPTY_SELECT',
    message: 'The question selects nothing',
    hint: 'Give dimensions or measures; search_fields finds them.',
  })

/** Asks for one row more than the limit, to know whether there are more. */
function questionOf(
  { dimensions = [], measures = [], where, having, order_by, limit, timezone, more = {} }: Arguments,
  most: number | undefined,
) {
  const cap = limit ?? (most === undefined ? undefined : most + 1)
  const { fields, distinct, dimensions: made = [], ...rest } = more
  return {
    ...rest,
    select: {
      ...(fields === undefined && { dimensions: [...dimensions, made].flat(), measures }),
      ...(fields !== undefined && { fields }),
      ...(distinct !== undefined && { distinct }),
    },
    ...(where && { where }),
    ...(having && { having }),
    ...(order_by && { order_by }),
    ...(cap !== undefined && { limit: cap }),
    ...(timezone && { timezone }),
  }
}

function rowsOf(executed: Executed, { limit, receipt = false }: Arguments, { limits }: World): Answer {
  const columns = executed.columns.map(({ name }) => name)
  const shown = fittingRows(columns, executed.rows, { ...limits, rows: limit ?? limits.rows })
  const truncated = shown.rows.length < executed.rows.length || executed.truncated
  const cut = truncated
    ? [`… only the first ${shown.rows.length} rows; give limit (up to 10000), add filters or take fewer dimensions`]
    : []
  const units = executed.columns.flatMap(({ name, unit }) => (unit === undefined ? [] : [`${name} in ${unit}`]))
  const inUnits = units.length > 0 ? [`units: ${units.join('; ')}`] : []
  const notes = receipt ? ['--', ...receiptLines(executed)] : briefLines(executed)
  const text = [shown.text, ...cut, ...inUnits, ...notes].join('\n')
  return { text, structured: { columns, rows: shown.rows, truncated } }
}

const sqlText = ({ sql, dialect, warnings }: Compiled): string =>
  [`-- ${dialect}`, sql, ...warnings.map(({ code, message }) => `-- ${code}: ${message}`)].join('\n')

function planText(compiled: Compiled): string {
  const { explain } = compiled
  const plan = explain?.plan === undefined ? [] : treeLines(explain.plan)
  return [...(explain ? [explain.planner_reason] : []), ...plan, '', sqlText(compiled)].join('\n')
}

function treeLines({ op, detail, children = [] }: PlanNode, indent = ''): string[] {
  return [`${indent}${op}${detail ? ` ${detail}` : ''}`, ...children.flatMap((child) => treeLines(child, `${indent}  `))]
}

type Explained = Pick<Executed, 'receipt' | 'warnings'>

const warningLines = ({ warnings }: Explained): string[] => warnings.map(({ code, message }) => `warning ${code}: ${message}`)

/** What nobody may overlook: warnings, fields that are not settled, and tables older than the data. */
function briefLines(executed: Explained): string[] {
  const { definitions = [], tables = [] } = executed.receipt ?? {}
  const unsettled = definitions.filter(({ status = 'certified' }) => status !== 'certified')
  return [...warningLines(executed), ...unsettled.map(({ name, status }) => `${name} is ${status}`), ...tables.map(tableText)]
}

const tableText = ({ object, as_of, by }: NonNullable<Receipt['tables']>[number]): string =>
  `${object} as of ${as_of} (rollup ${by})`

/** Explains the numbers in a few lines: definitions, filters, time zone, model version, warnings. */
function receiptLines({ receipt, warnings }: Explained): string[] {
  const lines = warningLines({ warnings })
  if (receipt === undefined) return lines
  const { definitions, filters, time_ranges: ranges = [], timezone, model, version, tables = [], read_at } = receipt
  return [
    ...lines,
    ...definitions.map(({ name, definition, status }) => `${name} = ${definition}${status === undefined ? '' : ` [${status}]`}`),
    ...(filters.length > 0 ? [`filters: ${filters.join('; ')}`] : []),
    ...ranges.map(rangeText),
    ...tables.map(tableText),
    `model ${model} ${version.slice(0, 12)}, zone ${timezone}, read ${read_at}`,
  ]
}

/** Which times a metric reads at one level, and with which it compares them. */
function rangeText({ metric, time, level, compared, ...own }: TimeRange): string {
  const ends = ({ from, to }: Pick<TimeRange, 'from' | 'to'>): string => `${from ?? 'the first'} to ${to ?? 'the last'}`
  const by = level.length > 0 ? ` by ${level.join(', ')}` : ''
  return `${metric}${by}: ${time} ${ends(own)}${compared ? `, compared with ${ends(compared)}` : ''}`
}
