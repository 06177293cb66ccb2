import { fittingRows } from '../answer/fitting-rows.js'
import { ApiError } from '../api/api-error.js'
import type { Compiled, Executed, PlanNode, TimeRange } from '../api/shapes.js'
import { chosenModel, type World } from '../world.js'
import { OPERATORS } from './operators.js'
import { type Answer, integer, MODEL, READS, strings, type Tool } from './tool.js'

interface Arguments {
  readonly dimensions?: readonly string[]
  readonly measures?: readonly string[]
  readonly where?: readonly object[]
  readonly having?: readonly object[]
  readonly order_by?: readonly object[]
  readonly limit?: number
  readonly timezone?: string
  readonly more?: Readonly<Record<string, unknown>>
  readonly mode?: 'run' | 'compile' | 'explain'
  readonly dialect?: string
  readonly model?: string
}

const conditions = (description: string, properties?: object) => ({
  type: 'array',
  items: { type: 'object', ...(properties && { properties }) },
  description,
})

/** Rarely used keys of a query. `grainline://reference/query` explains them, because their types would exceed the token budget. */
const MORE =
  'offset, grouping, top, fill_gaps, compare, parameters, view, rollups, rows_of, use_path_names, strict_filters, allow_fan_out, dimensions_exclude, fields, distinct, columns: grainline://reference/query'

export const query: Tool<Arguments> = {
  name: 'query',
  title: 'Ask',
  description:
    'Rows for dimensions and measures. A time takes a grain: "Date:month". relative: {unit, count, direction: past|future}. mode: run, compile (SQL), explain.',
  annotations: READS,
  input: {
    dimensions: strings,
    measures: { ...strings, description: 'And metrics' },
    where: conditions('or {segment}, {expression}, {logic: "or", filters}', {
      field: { type: 'string' },
      op: { type: 'string', description: `${OPERATORS}; or_missing: true keeps NULL` },
      value: {},
    }),
    having: conditions('As where'),
    order_by: {
      type: 'array',
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, direction: { enum: ['asc', 'desc'] } },
      },
    },
    limit: integer(10_000),
    timezone: { type: 'string' },
    more: { type: 'object', description: MORE },
    mode: { enum: ['run', 'compile', 'explain'] },
    dialect: { type: 'string' },
    ...MODEL,
  },
  run: async (given, world, call) => {
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

function rowsOf(executed: Executed, { limit }: Arguments, { limits }: World): Answer {
  const columns = executed.columns.map(({ name }) => name)
  const shown = fittingRows(columns, executed.rows, { ...limits, rows: limit ?? limits.rows })
  const truncated = shown.rows.length < executed.rows.length || executed.truncated
  const cut = truncated
    ? [`… only the first ${shown.rows.length} rows; add filters, take fewer dimensions, or order and limit`]
    : []
  const units = executed.columns.flatMap(({ name, unit }) => (unit === undefined ? [] : [`${name} in ${unit}`]))
  const inUnits = units.length > 0 ? [`units: ${units.join('; ')}`] : []
  const text = [shown.text, ...cut, ...inUnits, '--', receiptText(executed)].join('\n')
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

/** Explains the numbers in a few lines: definitions, filters, time zone, model version, warnings. */
function receiptText({ receipt, warnings }: Pick<Executed, 'receipt' | 'warnings'>): string {
  const lines = warnings.map(({ code, message }) => `warning ${code}: ${message}`)
  if (receipt === undefined) return lines.join('\n')
  const { definitions, filters, time_ranges: ranges = [], timezone, model, version, tables = [], read_at } = receipt
  return [
    ...lines,
    ...definitions.map(({ name, definition, status }) => `${name} = ${definition}${status === undefined ? '' : ` [${status}]`}`),
    ...(filters.length > 0 ? [`filters: ${filters.join('; ')}`] : []),
    ...ranges.map(rangeText),
    ...tables.map(({ object, as_of, by }) => `${object} as of ${as_of} (rollup ${by})`),
    `model ${model} ${version.slice(0, 12)}, zone ${timezone}, read ${read_at}`,
  ].join('\n')
}

/** Which times a metric reads at one level, and with which it compares them. */
function rangeText({ metric, time, level, compared, ...own }: TimeRange): string {
  const ends = ({ from, to }: Pick<TimeRange, 'from' | 'to'>): string => `${from ?? 'the first'} to ${to ?? 'the last'}`
  const by = level.length > 0 ? ` by ${level.join(', ')}` : ''
  return `${metric}${by}: ${time} ${ends(own)}${compared ? `, compared with ${ends(compared)}` : ''}`
}
