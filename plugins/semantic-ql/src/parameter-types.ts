/** The types of a statement's parameters, inferred from their comparisons. */
import type { DataType } from '@grainline/core'
import { BOOLEAN, DATE, FLOAT, INT, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/language'
import { bodyOf, type Node, nodesIn, wordsOf } from './grammar/node.js'

/** The types of `$1` … as a cast, a comparison or a LIMIT has them, else text. `fieldType` knows the fields of the models by name. */
export function parameterTypes(statement: Node, fieldType: (name: string) => DataType | undefined): DataType[] {
  const nodes = nodesIn(statement)
  const found = new Map<number, DataType>()
  const note = (node: Node | undefined, type: DataType | undefined): void => {
    const number = bodyOf(node, 'ParamRef')?.number
    if (number !== undefined && type !== undefined && !found.has(number)) found.set(number, type)
  }
  const typeOf = (node: Node | undefined): DataType | undefined => {
    const name = wordsOf(bodyOf(node, 'ColumnRef')?.fields).at(-1)
    return name === undefined ? undefined : fieldType(name)
  }
  for (const node of nodes) {
    const cast = bodyOf(node, 'TypeCast')
    if (cast) note(cast.arg, CASTS.get(wordsOf(cast.typeName?.names).at(-1) ?? ''))
    const compared = bodyOf(node, 'A_Expr')
    const sides = [compared?.lexpr, compared?.rexpr].map((side) => bodyOf(side, 'List')?.items ?? (side ? [side] : []))
    const type = sides
      .flat()
      .map(typeOf)
      .find((each) => each !== undefined)
    for (const side of sides.flat()) note(side, type)
    const select = bodyOf(node, 'SelectStmt')
    note(select?.limitCount, INT)
    note(select?.limitOffset, INT)
  }
  const count = Math.min(MOST_PARAMETERS, Math.max(0, ...nodes.map((node) => bodyOf(node, 'ParamRef')?.number ?? 0)))
  return Array.from({ length: count }, (_, i) => found.get(i + 1) ?? STRING)
}

/** More than any driver can send. */
const MOST_PARAMETERS = 65_535

/** Names of types as the grammar resolves them. */
const CASTS: ReadonlyMap<string, DataType> = new Map(
  (
    [
      [INT, 'int2 int4 int8'],
      [FLOAT, 'float4 float8'],
      [BOOLEAN, 'bool'],
      [STRING, 'text varchar bpchar'],
      [DATE, 'date'],
      [TIME, 'time timetz'],
      [TIMESTAMP, 'timestamp'],
      [TIMESTAMP_TZ, 'timestamptz'],
    ] as const
  ).flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
)
