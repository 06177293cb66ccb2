/** Answers the small queries that clients send to test a connection, without the service or the catalogue. */
import { type RowStream, textRows } from '../rows/row-block.js'
import type { SessionSettings } from '../session/session-settings.js'
import { bodyOf, constantOf, type Node } from '../statements/node.js'
import type { SelectStatement } from '../statements/statement.js'
import { OID } from '../types/pg-type.js'
import type { Field } from '../wire/messages.js'

export interface ProbeContext {
  readonly settings: SessionSettings
  readonly database: string
  readonly user: string
  readonly processId: number
  /** The first existing schema of the search path. */
  readonly schema: () => string | undefined
}

interface Cell {
  readonly name: string
  readonly type: number
  readonly size: number
  readonly value: string | null
}

/** The values of the parameters. `undefined` means that the statement is only described, so nothing may change. */
type Values = readonly (string | null)[] | undefined

/** The answer to a SELECT of constants and a few functions about the connection; `undefined` for any other. */
export function probe({ tree }: SelectStatement, context: ProbeContext, values: Values): RowStream | undefined {
  const select = bodyOf(tree, 'SelectStmt')
  const { targetList, limitOption: _option, op: _op, ...others } = select ?? {}
  if (targetList === undefined || Object.keys(others).length > 0) return undefined
  const cells: Cell[] = []
  for (const target of targetList) {
    const { name, val } = bodyOf(target, 'ResTarget') ?? {}
    const cell = cellOf(val, context, values)
    if (cell === undefined) return undefined
    cells.push(name === undefined ? cell : { ...cell, name })
  }
  const fields: Field[] = cells.map(({ name, type, size }) => ({ name, type, size, typeModifier: -1 }))
  return textRows(fields, [cells.map(({ value }) => value)])
}

const text = (name: string, value: string | null): Cell => ({ name, type: OID.text, size: -1, value })
const nameCell = (name: string, value: string): Cell => ({ name, type: OID.name, size: 64, value })

const schemaCell = (value: string | undefined): Cell => ({ ...nameCell('current_schema', ''), value: value ?? null })

function cellOf(node: Node | undefined, context: ProbeContext, values: Values): Cell | undefined {
  const constant = bodyOf(node, 'A_Const')
  if (constant?.ival) return { name: '?column?', type: OID.int4, size: 4, value: String(constant.ival.ival ?? 0) }
  if (constant?.sval) return text('?column?', constant.sval.sval ?? '')
  if (constant?.boolval) return { name: 'bool', type: OID.bool, size: 1, value: constant.boolval.boolval === true ? 't' : 'f' }
  const keyword = bodyOf(node, 'SQLValueFunction')?.op
  if (keyword !== undefined) return keywordCell(keyword, context)
  const call = bodyOf(node, 'FuncCall')
  if (call === undefined) return undefined
  const words = (call.funcname ?? []).map((word) => bodyOf(word, 'String')?.sval ?? '')
  const known = words.length === 1 || (words.length === 2 && words[0] === 'pg_catalog')
  const name = words.at(-1)!
  if (!known) return undefined
  if (name === 'set_config' && values === undefined) return text(name, '')
  return callCell(
    name,
    (call.args ?? []).map((arg) => givenValue(arg, values ?? [])),
    context,
  )
}

function keywordCell(keyword: string, { user, database, schema }: ProbeContext): Cell | undefined {
  switch (keyword) {
    case 'SVFOP_CURRENT_USER':
    case 'SVFOP_USER':
    case 'SVFOP_SESSION_USER':
    case 'SVFOP_CURRENT_ROLE':
      return nameCell(keyword.replace('SVFOP_', '').toLowerCase(), user)
    case 'SVFOP_CURRENT_CATALOG':
      return nameCell('current_catalog', database)
    case 'SVFOP_CURRENT_SCHEMA':
      return schemaCell(schema())
    default:
      return undefined
  }
}

function callCell(
  name: string,
  args: readonly (string | null | undefined)[],
  { settings, database, schema, processId }: ProbeContext,
): Cell | undefined {
  if (name === 'set_config') return setConfig(args, settings)
  if (name === 'current_setting' && args.length === 1) {
    const value = settings.get(args[0] ?? '')
    return value === undefined ? undefined : text(name, value)
  }
  if (args.length > 0) return undefined
  switch (name) {
    case 'version':
      return text(name, `PostgreSQL ${settings.get('server_version')} (Grainline)`)
    case 'current_database':
      return nameCell(name, database)
    case 'current_schema':
      return schemaCell(schema())
    case 'pg_backend_pid':
      return { name, type: OID.int4, size: 4, value: String(processId) }
    case 'pg_is_in_recovery':
      return { name, type: OID.bool, size: 1, value: 'f' }
    default:
      return undefined
  }
}

/** The value of a constant or a parameter. */
const givenValue = (node: Node, values: readonly (string | null)[]): string | null | undefined => {
  const number = bodyOf(bodyOf(node, 'TypeCast')?.arg ?? node, 'ParamRef')?.number
  return number === undefined ? constantOf(node) : values[number - 1]
}

/** `set_config` is SET as a function. */
function setConfig([name, value, local]: readonly (string | null | undefined)[], settings: SessionSettings): Cell | undefined {
  if (typeof name !== 'string' || typeof value !== 'string' || typeof local !== 'string') return undefined
  settings.set(name, value, local === 'on' || local === 't' || local === 'true')
  return text('set_config', settings.get(name) ?? '')
}
