/** `functions.yaml` as a model, tables and one query per call, for any available engine. */
import { readFileSync } from 'node:fs'
import { builtInFunctions, type SemanticModel } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import { parse } from 'yaml'
import type { Answer, Cell } from '../support/answers.js'

export interface FunctionCase {
  /** The call with its argument types, for example `abs({a}) of int`. */
  readonly name: string
  readonly tables: string
  readonly model: SemanticModel
  readonly query: unknown
  readonly expected: Answer
}

interface Entry {
  readonly call: string
  readonly of: readonly string[]
  readonly gives: string
  readonly weekStart?: string
  readonly rows: readonly (readonly Cell[])[]
}

const entries = parse(readFileSync(new URL('functions.yaml', import.meta.url), 'utf8')) as readonly Entry[]

export const functionCases = (): FunctionCase[] => entries.map(caseOf)

/** Functions of the catalogue that the table does not call. */
export const uncalledFunctions = (): string[] =>
  [...builtInFunctions.keys()].filter((name) => !entries.some(({ call }) => call.startsWith(`${name}(`)))

function caseOf(entry: Entry, index: number): FunctionCase {
  const { call, of, gives, rows, weekStart = 'monday' } = entry
  const letters = of.map((_, i) => String.fromCharCode(97 + i))
  const table = `case_${index}`
  const values = rows.map((row, i) => `(${[i, ...of.map((type, j) => literal(row[j]!, type))].join(', ')})`)
  const columns = Object.fromEntries(of.map((type, i) => [letters[i]!, { code: letters[i]!, ...columnType(type) }]))
  const { model, errors } = parseModelSync({
    json: {
      settings: { weekStart },
      dataObjects: {
        Case: {
          code: table,
          columns: {
            Id: { code: 'id', abstractType: 'int', primaryKey: true },
            ...columns,
            Result: { expression: call, ...columnType(gives) },
          },
        },
      },
    },
  })
  if (!model) throw new Error(`${call}: ${errors.map((e) => `${e.path} ${e.message}`).join('; ')}`)
  return {
    name: `${call} of ${of.join(', ')}`,
    tables: `CREATE TABLE ${table} (id BIGINT, ${of.map((type, i) => `${letters[i]} ${SQL_TYPES[type] ?? type}`).join(', ')}); INSERT INTO ${table} VALUES ${values.join(', ')};`,
    model,
    query: { select: { fields: ['Case.Id', 'Case.Result'] }, order_by: [{ field: 'Case.Id' }] },
    expected: {
      columns: ['Case.Id', 'Case.Result'],
      rows: rows.map((row, i) => [String(i), shown(row[of.length] as Cell, gives)]),
    },
  }
}

const SQL_TYPES: Readonly<Record<string, string>> = { string: 'VARCHAR(40)', int: 'BIGINT', float: 'DOUBLE PRECISION' }

const columnType = (type: string): object =>
  type.startsWith('decimal') ? { abstractType: 'float', sqlType: type } : { abstractType: type }

function literal(value: Cell, type: string): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' && !type.startsWith('decimal') ? `'${value.replaceAll("'", "''")}'` : String(value)
}

/** In the form of `test/support/answers.ts`: only floats remain numbers. */
const shown = (value: Cell, type: string): Cell => (typeof value === 'number' && type !== 'float' ? String(value) : value)
