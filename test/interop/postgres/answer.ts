/** Answers of PostgreSQL in the form of `test/support/answers.ts`, converted by their planned types. */
import type { CompiledQuery } from '@grainline/core'
import { type Answer, type Cell, exact } from '../../support/answers.js'
import type { Client } from './client.js'

type Columns = CompiledQuery['columns']

/** The types with which a value of each planned type may arrive: the numbers of `pg_type`. A sum of integers arrives as numeric. */
const ARRIVES_AS: Readonly<Record<string, readonly number[]>> = {
  string: [25, 1043, 1042],
  boolean: [16],
  int: [20, 21, 23],
  float: [701, 700],
  decimal: [1700, 20, 23],
  date: [1082],
  time: [1083],
  timestamp: [1114],
  timestamp_tz: [1184],
  json: [114, 3802],
}

/** Throws if the statement fails or a column does not have its planned type. */
export async function askPostgres(client: Client, sql: string, columns: Columns): Promise<Answer> {
  const { fields, rows } = await client.query({ text: sql, rowMode: 'array' })
  const misfit = columns.findIndex(({ type }, i) => !ARRIVES_AS[type.kind]!.includes(fields[i]!.dataTypeID))
  if (misfit >= 0) {
    const { name, type } = columns[misfit]!
    throw new Error(`column '${name}' is planned as ${type.kind} and arrives as type ${fields[misfit]!.dataTypeID}`)
  }
  return {
    columns: fields.map((f) => f.name),
    rows: rows.map((row) => row.map((cell, i) => cellOf(cell, columns[i]!.type.kind))),
  }
}

function cellOf(text: string | null, kind: string): Cell {
  if (text === null) return null
  if (kind === 'boolean') return text === 't'
  if (kind === 'float') return Number(text)
  return exact(text)
}
