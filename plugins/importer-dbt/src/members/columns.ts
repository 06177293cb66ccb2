/** Columns of data objects: those of tables, and those of expressions. */
import { assumedTypes, type Entry, LeftOut } from '../draft.js'
import type { Use } from '../sql-expression.js'
import type { Owner, OwnerContext } from './owner.js'

/** A column in the grammar of the model. */
export const quoted = ({ name }: Owner, column: string): string => `{[${name}].[${column}]}`

/** A column of the table. Its use gives it a type, unless a dimension declares one. */
export function physical(code: string, owner: Owner, use: Use): string {
  if (code === '*' || code === '__proto__' || /[[\]{}]/.test(code)) throw new LeftOut(`'${code}' is no name of a column here`)
  const { columns, codes, assumed } = owner
  const stored = codes.get(code)
  const name = stored ?? (Object.hasOwn(columns, code) ? `${code} (column)` : code)
  if (stored === undefined) {
    columns[name] = { code }
    codes.set(code, name)
    assumed.add(name)
  }
  typed(owner, name, use)
  return name
}

/** Gives a column of the table the type of its use, if it has none. */
export function typed({ columns }: Owner, column: string, use: Use): void {
  const entry = columns[column]
  if (entry?.['code'] === undefined || use === undefined || entry['abstractType'] !== undefined) return
  entry['abstractType'] = use === 'number' ? 'float' : use === 'time' ? 'timestamp' : 'boolean'
}

/** Gives a column the type of its dimension. Only keys are known to be whole numbers. */
export function declared(column: string, type: string, isKey: boolean, { columns, assumed }: Owner): string {
  const entry = columns[column]
  if (!entry) return column
  const abstractType = type === 'float' && isKey ? 'int' : type
  const before = entry['abstractType']
  if (before === undefined || (before === 'float' && abstractType === 'int')) entry['abstractType'] = abstractType
  else if (before !== abstractType && !(isNumber(before) && isNumber(abstractType)))
    throw new LeftOut(`its column '${column}' is read as ${String(before)} by another dimension`)
  if (!isNumber(abstractType)) assumed.delete(column)
  return column
}

const isNumber = (type: unknown): boolean => type === 'int' || type === 'float'

/** Adds a column of an expression. A dimension may have the name of a column that it reads. */
export function computed(name: string, source: Entry, { columns }: Owner): string {
  const free = Object.hasOwn(columns, name) ? `${name} (expression)` : name
  if (Object.hasOwn(columns, free)) throw new LeftOut(`a column is called '${free}'`)
  columns[free] = source
  return free
}

/** Reports columns whose type the text does not say. */
export function reportAssumed<O extends Owner>({ owners, draft, words }: OwnerContext<O>): void {
  for (const { name, place, columns, assumed } of owners.values()) {
    if (assumed.size === 0) continue
    const types = assumedTypes(assumed, columns)
    draft.lose('rewritten', `No exact type is declared for columns of '${name}'. They are read as: ${types}.`, place, {
      hint: `Change the types of these columns in the model: a number of ${words.format} may be whole, decimal or a float.`,
      path: ['dataObjects', name, 'columns'],
    })
  }
}
