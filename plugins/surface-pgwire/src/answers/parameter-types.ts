/** Finds the types of a statement's parameters: the client declares them, or they are inferred from comparisons. */
import type { DataType } from '@grainline/core'
import { bodyOf, type Node, nodesIn, type TypeName } from '../statements/node.js'
import { arrayOf } from '../types/array-type.js'
import { OID, oidOf } from '../types/pg-type.js'

/** The type of a field by its name, in all models of the connection. */
export type FieldType = (name: string) => DataType | undefined

/** The type ids of `$1` … `$count`. A type is declared, or inferred from a cast, a comparison or a LIMIT. The default is text. */
export function parameterTypes(
  tree: Node | undefined,
  count: number,
  declared: readonly number[],
  fieldType: FieldType,
): number[] {
  const found = new Map<number, number>()
  const note = (node: Node | undefined, type: number | undefined) => {
    const number = bodyOf(node, 'ParamRef')?.number
    if (number !== undefined && type !== undefined && !found.has(number)) found.set(number, type)
  }
  const typeOf = (node: Node | undefined): number | undefined => {
    const name = bodyOf(bodyOf(node, 'ColumnRef')?.fields?.at(-1), 'String')?.sval
    const type = name === undefined ? undefined : fieldType(name)
    return type && oidOf(type)
  }
  for (const node of nodesIn(tree)) {
    const cast = bodyOf(node, 'TypeCast')
    if (cast) note(cast.arg, castTo(cast.typeName))
    const compared = bodyOf(node, 'A_Expr')
    if (compared) {
      for (const [one, other] of [
        [compared.lexpr, compared.rexpr],
        [compared.rexpr, compared.lexpr],
      ]) {
        for (const item of bodyOf(one, 'List')?.items ?? [one]) note(item, comparedTo(compared.kind, typeOf(other)))
      }
    }
    const select = bodyOf(node, 'SelectStmt')
    note(select?.limitCount, OID.int8)
    note(select?.limitOffset, OID.int8)
  }
  return Array.from({ length: count }, (_, index) => declared[index] || (found.get(index + 1) ?? OID.text))
}

const WITH_UNIT: ReadonlySet<string> = new Set(['date_trunc', 'date_part', 'extract'])

/** The numbers of the parameters that are units of time, such as `date_trunc($1, …)`. */
export function unitParameters(tree: Node | undefined): ReadonlySet<number> {
  const units = nodesIn(tree).flatMap((node) => {
    const { funcname, args } = bodyOf(node, 'FuncCall') ?? {}
    const name = bodyOf(funcname?.at(-1), 'String')?.sval ?? ''
    return WITH_UNIT.has(name) ? (bodyOf(args?.[0], 'ParamRef')?.number ?? []) : []
  })
  return new Set(units)
}

const comparedTo = (kind: string | undefined, type: number | undefined): number | undefined =>
  kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_OP_ALL' ? arrayOf(type ?? OID.text) : type

function castTo(type: TypeName | undefined): number | undefined {
  const item = oidOfName(bodyOf(type?.names?.at(-1), 'String')?.sval)
  return type?.arrayBounds && item !== undefined ? arrayOf(item) : item
}

/** The names that the grammar gives to types. */
const names: Readonly<Record<string, number>> = {
  int2: OID.int2,
  int4: OID.int4,
  int8: OID.int8,
  float4: OID.float4,
  float8: OID.float8,
  numeric: OID.numeric,
  bool: OID.bool,
  text: OID.text,
  varchar: OID.varchar,
  bpchar: OID.bpchar,
  date: OID.date,
  time: OID.time,
  timestamp: OID.timestamp,
  timestamptz: OID.timestamptz,
  uuid: OID.uuid,
  json: OID.json,
  jsonb: OID.jsonb,
}

const oidOfName = (name: string | undefined): number | undefined => (name === undefined ? undefined : names[name])
