/** Expressions as short text, so that a test shows what is read and compared. */
import { formatDataType } from '../../core/src/model/data-type.js'
import type { RowExpr } from '../../core/src/plan/logical-plan.js'
import type { MetricStep } from '../../core/src/resolve/resolved-query.js'

export function written(node: RowExpr): string {
  switch (node.kind) {
    case 'column':
      return node.table === '' ? node.name : `${tableOf(node.table)}.${node.name}`
    case 'literal':
      return typeof node.value === 'string' ? `'${node.value.replace(' 00:00:00', '')}'` : String(node.value)
    case 'unary':
      return node.operator === 'not' ? `not(${written(node.operand)})` : `-${written(node.operand)}`
    case 'binary':
      return `(${written(node.left)} ${node.operator} ${written(node.right)})`
    case 'call':
      return `${node.name}(${node.args.map(written).join(', ')})`
    case 'case':
      return `case(${node.branches.map((b) => `${written(b.when)}: ${written(b.then)}`).join(', ')}${node.otherwise ? `, else ${written(node.otherwise)}` : ''})`
    case 'cast':
      return `cast(${written(node.operand)} as ${formatDataType(node.type)})`
    case 'in':
      return `${written(node.operand)} in (${node.list.map(written).join(', ')})`
    case 'is-null':
      return `null(${written(node.operand)})`
    default:
      return node.kind
  }
}

/** Like `Rank = rank() per Region where not(null(Region))`. */
export function writtenStep(step: MetricStep): string {
  if (step.kind === 'expression') return `${step.name} = ${written(step.expression)}`
  const per = step.partitionBy.length > 0 ? ` per ${step.partitionBy.map(written).join(', ')}` : ''
  return `${step.name} = ${step.function}(${step.args.map(written).join(', ')})${per}${step.where ? ` where ${written(step.where)}` : ''}`
}

/** A relation that no statement has named yet: the object from which its joins start, and where they lead. */
function tableOf(table: string): string {
  if (!table.startsWith('{')) return table
  const { root, steps = [] } = JSON.parse(table) as { readonly root?: string; readonly steps?: readonly unknown[] }
  return root === undefined ? table : `${root}${'>'.repeat(steps.length)}`
}
