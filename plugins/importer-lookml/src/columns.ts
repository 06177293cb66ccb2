/** Dimensions → columns of data objects. */
import { type Entry, LeftOut, type Part, type Use } from '@grainline/importer-dbt/foreign'
import { type Context, fullName, opened, type Role } from './context.js'
import { refuseLiquid } from './liquid.js'
import { expressionOf, type NameReading } from './references.js'
import { grainOf, isGrain, partOfTime } from './timeframes.js'
import { isPrimary, type LookDimension } from './views.js'

const AGGREGATES = new Set('sum count avg min max median stddev variance any_value mode approx_count_distinct'.split(' '))

/** Names in an expression over rows are columns and dimensions. */
export function rowReading(context: Context, note: (role: Role) => void = () => undefined): NameReading {
  return {
    column: (role, code, use) => {
      note(role)
      return quoted(role, physical(code, role, use))
    },
    member: (role, member, use) => {
      note(role)
      return rowValue(member, role, context, use)
    },
    call: (call) => {
      if (call.isOdd || AGGREGATES.has(call.name)) throw new LeftOut(`'${call.name}' aggregates rows, and is no value of a row`)
      return undefined
    },
  }
}

const quoted = ({ name }: Role, column: string): string => `{[${name}].[${column}]}`

/** The value of a dimension for a row: that of a timeframe is cut to it. */
export function rowValue(member: string, role: Role, context: Context, use?: Use | 'time'): string {
  const { timeframe } = dimensionNamed(member, role)
  const column = quoted(role, columnOf(member, role, context))
  typed(role, columnOf(member, role, context), timeframe === undefined ? use : undefined)
  const grain = timeframe === undefined ? undefined : grainOf(timeframe)
  return grain === undefined ? column : `date_trunc('${grain}', ${column})`
}

export function dimensionNamed(member: string, { view, name }: Role): LookDimension {
  const found = view.dimensions.get(member)
  if (found) return found
  if (view.measures.has(member)) throw new LeftOut(`'${member}' is a measure, and no value of a row`)
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
  const expression = partOfTime(timeframe, `{${stored}}`)
  if (expression === undefined) throw new LeftOut(`the timeframe '${timeframe}' has no place in the model`, part.at('timeframes'))
  return computed(member, expression, role)
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'float',
  yesno: 'boolean',
  zipcode: 'string',
  tier: 'float',
  bin: 'float',
}

function plainColumn(member: string, { part }: LookDimension, role: Role, context: Context): string {
  const type = part.text('type') ?? 'string'
  const isCase = part.has('case')
  if (!Object.hasOwn(TYPES, type))
    throw new LeftOut(`a dimension of the type '${type}' has no place in the model`, part.at('type'))
  if (isCase) return computed(member, caseOf(part, role, context), role)
  return ofSql(member, part, TYPES[type] ?? 'string', role, context)
}

const COLUMN = /^\$\{TABLE\}\s{0,9}\.\s{0,9}(\w{1,128}|"[^"]{1,128}"|`[^`]{1,128}`)$/

/** The column of the SQL of a dimension; without one, that of its name. */
function ofSql(name: string, part: Part, type: string, role: Role, context: Context): string {
  const sql = part.text('sql') ?? `\${TABLE}.${name}`
  refuseLiquid(sql, 'sql', part)
  const code = COLUMN.exec(sql)?.[1] ?? /^\w{1,128}$/.exec(sql)?.[0]
  if (code !== undefined && !/^(\d+|null|true|false)$/i.test(code))
    return declared(physical(code.replace(/^["`](.*)["`]$/s, '$1'), role, undefined), type, isPrimary(part), role)
  const use = type === 'float' ? 'number' : type === 'boolean' ? 'boolean' : undefined
  const expression = expressionOf(part, 'sql', role, rowReading(context), context, use)
  context.draft.noteDivision(expression, fullName(role, name), part.at('sql'))
  if (role.columns[name]?.['expression'] === expression) return name
  return computed(name, expression, role)
}

/** Gives the column the type of its dimension. Only keys are known to be whole numbers. */
function declared(column: string, type: string, isKey: boolean, { columns, assumed }: Role): string {
  const entry = columns[column]
  if (!entry) return column
  const abstractType = type === 'float' && isKey ? 'int' : type
  const before = entry['abstractType']
  const isNumber = (each: unknown) => each === 'int' || each === 'float'
  if (before === undefined || (before === 'float' && abstractType === 'int')) entry['abstractType'] = abstractType
  else if (before !== abstractType && !(isNumber(before) && isNumber(abstractType)))
    throw new LeftOut(`its column '${column}' is read as ${String(before)} by another dimension`)
  if (!isNumber(abstractType)) assumed.delete(column)
  return column
}

function computed(name: string, expression: string, { columns }: Role): string {
  const free = Object.hasOwn(columns, name) ? `${name} (expression)` : name
  if (Object.hasOwn(columns, free)) throw new LeftOut(`a column is called '${free}'`)
  columns[free] = { expression }
  return free
}

function caseOf(part: Part, role: Role, context: Context): string {
  const [cases] = part.parts('case')
  const text = (label: string) => `'${label.replaceAll("'", "''")}'`
  const branches = (cases?.parts('when') ?? []).map((each) => {
    const test = expressionOf(each, 'sql', role, rowReading(context), context, 'boolean')
    return ` WHEN ${test} THEN ${text(each.needed('label'))}`
  })
  if (branches.length === 0) throw new LeftOut('its case has no branch', part.at('case'))
  const rest = cases?.text('else')
  return `CASE${branches.join('')}${rest === undefined ? '' : ` ELSE ${text(rest)}`} END`
}

/** A column of the table. Its use gives it a type, unless a dimension declares one. */
export function physical(code: string, role: Role, use: Use | 'time'): string {
  if (code === '*' || code === '__proto__' || /[[\]{}]/.test(code)) throw new LeftOut(`'${code}' is no name of a column here`)
  const { columns, codes, assumed } = role
  const stored = codes.get(code)
  const name = stored ?? (Object.hasOwn(columns, code) ? `${code} (column)` : code)
  if (stored === undefined) {
    columns[name] = { code }
    codes.set(code, name)
    assumed.add(name)
  }
  typed(role, name, use)
  return name
}

function typed({ columns }: Role, column: string, use: Use | 'time'): void {
  const entry = columns[column]
  if (entry?.['code'] === undefined || use === undefined || entry['abstractType'] !== undefined) return
  entry['abstractType'] = use === 'number' ? 'float' : use === 'time' ? 'timestamp' : 'boolean'
}

/** Columns whose type the text does not say. */
export function reportAssumed({ roles, draft }: Context): void {
  for (const { name, view, columns, assumed } of roles.values()) {
    const list = [...assumed].map((column) => {
      const entry: Entry = columns[column] ?? {}
      const type = entry['abstractType'] ?? 'string'
      entry['abstractType'] = type
      return `${column} (${String(type)})`
    })
    if (list.length === 0) continue
    draft.lose(
      'rewritten',
      `No exact type is declared for columns of '${name}'. They are read as: ${list.join(', ')}.`,
      view.part.place,
      {
        hint: 'Change the types of these columns in the model: a number of LookML may be whole, decimal or a float.',
        path: ['dataObjects', name, 'columns'],
      },
    )
  }
}
