/** The columns of a SELECT that are written as `date_trunc` of a time. The function has the type of its input; a grain has that of its period. */
import type { DataType } from '@grainline/core'
import { attempt } from '../attempt.js'
import { readExpression } from '../expression.js'
import { bodyOf, functionName, type Node } from '../grammar/node.js'
import type { ModelRelation } from '../model-relation.js'
import { typeOfExpr } from '../reader.js'
import type { SelectItem } from './select-items.js'

/** The types of these columns; `undefined` if there are none. A column that is also written as its grain stays that. */
export function truncatedTimes(
  items: readonly SelectItem[],
  relation: ModelRelation,
): Readonly<Record<string, DataType>> | undefined {
  const times = new Map<string, DataType | undefined>()
  for (const { node, column } of items) {
    if (column === undefined) continue
    const type = truncatedType(node, relation)
    times.set(column, times.has(column) && times.get(column)?.kind !== type?.kind ? undefined : type)
  }
  const found = [...times].flatMap(([column, type]) => (type ? [[column, type] as const] : []))
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

const NAMES: ReadonlySet<string> = new Set(['date_trunc', 'datetrunc'])

function truncatedType(node: Node, relation: ModelRelation): DataType | undefined {
  const call = bodyOf(node, 'FuncCall')
  const moment = call?.args?.[1]
  if (!call || !moment || !NAMES.has(functionName(call.funcname))) return undefined
  const type = attempt(() => typeOfExpr(readExpression(moment, relation), relation))
  return type?.kind === 'timestamp' || type?.kind === 'timestamp_tz' ? type : undefined
}
