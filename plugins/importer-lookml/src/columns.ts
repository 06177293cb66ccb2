/** Dimensions → columns of data objects. */
import {
  computed,
  declared,
  fullName,
  LeftOut,
  type NameReading,
  opened,
  type Part,
  physical,
  quoted,
  rowReading,
  typed,
  type Use,
} from '@grainline/importer-dbt/foreign'
import type { Context, Role } from './context.js'
import { refuseLiquid } from './liquid.js'
import { expressionOf } from './references.js'
import { grainOf, isGrain, isInterval, partOfTime } from './timeframes.js'
import { isPrimary, type LookDimension } from './views.js'

/** Names in an expression over rows are columns and dimensions. */
export const rowsOf = (context: Context, note?: (role: Role) => void): NameReading<Role> =>
  rowReading(({ owner, member }, use) => rowValue(member, owner, context, use), note)

/** The value of a dimension for a row: that of a timeframe is cut to it. */
export function rowValue(member: string, role: Role, context: Context, use?: Use): string {
  const { timeframe } = dimensionNamed(member, role)
  const column = columnOf(member, role, context)
  typed(role, column, timeframe === undefined ? use : undefined)
  const grain = timeframe === undefined ? undefined : grainOf(timeframe)
  return grain === undefined ? quoted(role, column) : `date_trunc('${grain}', ${quoted(role, column)})`
}

export function dimensionNamed(member: string, { view, name, measures }: Role): LookDimension {
  const found = view.dimensions.get(member)
  if (found) return found
  if (measures.has(member)) throw new LeftOut(`'${member}' is a measure, and no value of a row`)
  if (view.asked.has(member)) throw new LeftOut(`'${member}' is known only when a query is asked`)
  throw new LeftOut(`'${member}' is no field of '${name}'`)
}

/** The column of a dimension, written when it is first read. Timeframes that are grains have the same. */
export function columnOf(member: string, role: Role, context: Context): string {
  const dimension = dimensionNamed(member, role)
  const { base, timeframe } = dimension
  const isCut = timeframe !== undefined && isGrain(timeframe)
  const key = isCut ? `${base}\0` : member
  const known = role.written.get(key)
  if (known !== undefined) return known
  const column = opened(`${fullName(role, key)}`, context, () =>
    timeframe === undefined
      ? plainColumn(member, dimension, role, context)
      : timeColumn(member, timeframe, dimension, role, context),
  )
  role.written.set(key, column)
  return column
}

function timeColumn(member: string, timeframe: string, { part, base }: LookDimension, role: Role, context: Context): string {
  const datatype = part.text('datatype') ?? 'datetime'
  if (!/^(date|datetime|timestamp)$/.test(datatype))
    throw new LeftOut(`times of the datatype '${datatype}' have no place in the model`, part.at('datatype'))
  // Times are grouped as they are stored; the list has one line about it.
  part.text('convert_tz')
  const type = datatype === 'date' ? 'date' : 'timestamp'
  if (isGrain(timeframe)) return ofSql(base, part, type, role, context)
  const key = `${base}\0`
  const stored = role.written.get(key) ?? ofSql(base, part, type, role, context)
  role.written.set(key, stored)
  const expression = partOfTime(timeframe, `{${stored}}`, context.weekStart)
  if (expression === undefined) throw new LeftOut(`the timeframe '${timeframe}' has no place in the model`, part.at('timeframes'))
  return computed(member, { expression }, role)
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'float',
  yesno: 'boolean',
  zipcode: 'string',
  tier: 'float',
  bin: 'float',
}

/** How many boundaries of a unit lie between two times. */
function durationColumn(member: string, interval: string, { part, base }: LookDimension, role: Role, context: Context): string {
  if (!isInterval(interval)) throw new LeftOut(`the interval '${interval}' has no place in the model`, part.at('intervals'))
  part.text('convert_tz')
  const [start, end] = (['sql_start', 'sql_end'] as const).map((key) =>
    expressionOf(part, key, role, rowsOf(context), context, 'time'),
  )
  context.draft.loseOnce(
    'rewritten',
    `'${fullName(role, base)}' counts the boundaries of each interval between its times. Looker counts as the database does: some count whole intervals.`,
    part.place,
  )
  return computed(member, { expression: `date_diff('${interval}', ${start}, ${end})` }, role)
}

function plainColumn(member: string, dimension: LookDimension, role: Role, context: Context): string {
  const { part, interval } = dimension
  if (interval !== undefined) return durationColumn(member, interval, dimension, role, context)
  const type = part.text('type')
  const isCase = part.has('case')
  if (type !== undefined && !Object.hasOwn(TYPES, type))
    throw new LeftOut(`a dimension of the type '${type}' has no place in the model`, part.at('type'))
  if (isCase) return computed(member, { expression: caseOf(part, role, context) }, role)
  return ofSql(member, part, type === undefined ? undefined : TYPES[type], role, context)
}

const COLUMN = /^\$\{TABLE\}\s{0,9}\.\s{0,9}(\w{1,128}|"[^"]{1,128}"|`[^`]{1,128}`)$/

/** The column of the SQL of a dimension; without one, that of its name. Without a type it is a text, unless a database says otherwise. */
function ofSql(name: string, part: Part, type: string | undefined, role: Role, context: Context): string {
  const sql = part.text('sql') ?? `\${TABLE}.${name}`
  refuseLiquid(sql, 'sql', part)
  const code = COLUMN.exec(sql)?.[1] ?? /^\w{1,128}$/.exec(sql)?.[0]
  if (code !== undefined && !/^(\d+|null|true|false)$/i.test(code)) {
    const column = physical(code.replace(/^["`](.*)["`]$/s, '$1'), role, undefined)
    if (type !== undefined) return declared(column, type, isPrimary(part), role)
    role.assumed.delete(column)
    return column
  }
  const use = type === 'float' ? 'number' : type === 'boolean' ? 'boolean' : undefined
  const expression = expressionOf(part, 'sql', role, rowsOf(context), context, use)
  context.draft.noteDivision(expression, fullName(role, name), part.at('sql'))
  if (role.columns[name]?.['expression'] === expression) return name
  return computed(name, { expression }, role)
}

function caseOf(part: Part, role: Role, context: Context): string {
  const [cases] = part.parts('case')
  const text = (label: string) => `'${label.replaceAll("'", "''")}'`
  const branches = (cases?.parts('when') ?? []).map((each) => {
    const test = expressionOf(each, 'sql', role, rowsOf(context), context, 'boolean')
    return ` WHEN ${test} THEN ${text(each.needed('label'))}`
  })
  if (branches.length === 0) throw new LeftOut('its case has no branch', part.at('case'))
  const rest = cases?.text('else')
  return `CASE${branches.join('')}${rest === undefined ? '' : ` ELSE ${text(rest)}`} END`
}
