/** Statements that clients send to check a server: `SELECT 1`, `SELECT version()`. They need no evaluator. */
import type { DataType } from '@grainline/core'
import { BOOLEAN, batchFromRows, INT, type RecordBatch, STRING } from '@grainline/core/language'

import { constantOf } from './constants.js'
import { bodiesOf, bodyOf, functionName, locationOf, type Node, type SelectStmt } from './grammar/node.js'
import type { StatementContext } from './reader.js'
import { nameOf } from './targets.js'

interface Cell {
  readonly type: DataType
  readonly value: string | number | boolean
}

/** The row of a SELECT that has only plain constants and facts about the server; `undefined` for anything else. */
export function constantRow(stmt: SelectStmt, { sql }: StatementContext): RecordBatch | undefined {
  const { targetList = [], limitOption: _option, op: _op, ...others } = stmt
  if (targetList.length === 0 || Object.keys(others).length > 0) return undefined
  const targets = bodiesOf(targetList, 'ResTarget')
  const cells = targets.flatMap(({ name, val }) => {
    const cell = cellOf(val, sql.place(locationOf(val)))
    return cell ? [{ ...cell, name: name ?? nameOf(val) }] : []
  })
  if (cells.length < targets.length) return undefined
  const schema = cells.map(({ name, type }) => ({ name, type, role: 'field' as const }))
  return batchFromRows(schema, [cells.map(({ value }) => value)])
}

/** A number with a point, NULL and a cast have types that the evaluator decides. */
function cellOf(node: Node, at: ReturnType<StatementContext['sql']['place']>): Cell | undefined {
  const said = aboutServer(node)
  if (said !== undefined) return { type: STRING, value: said }
  const constant = bodyOf(node, 'A_Const')
  if (constant?.ival) return { type: INT, value: constant.ival.ival ?? 0 }
  if (constant?.boolval) return { type: BOOLEAN, value: constant.boolval.boolval ?? false }
  return constant?.sval && { type: STRING, value: String(constantOf(constant, at).value) }
}

/** Functions that clients call on every server. */
export function aboutServer(node: Node): string | undefined {
  const call = bodyOf(node, 'FuncCall')
  const isPlain = call && (call.args ?? []).length === 0 && !call.over
  const name = isPlain ? functionName(call.funcname) : ''
  return Object.hasOwn(SAID, name) ? SAID[name] : undefined
}

const SAID: Readonly<Record<string, string>> = { version: 'Grainline', current_schema: 'public' }
