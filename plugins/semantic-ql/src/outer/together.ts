/** A measure of several groups together, written with its values in these groups. */
import type { SemanticModel } from '@grainline/core'
import type { Expr, FieldRef } from '@grainline/core/language'
import { isLinear } from '../additive.js'
import { isOfItsRows } from '../main-fact.js'

export type Together =
  | { readonly kind: 'group'; readonly aggregate: 'sum' | 'min' | 'max'; readonly measure: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'operation'; readonly operator: string; readonly operands: readonly Together[] }

/** `undefined` if the values of the groups do not determine it, as for a distinct count. */
export function togetherOf(name: string, model: SemanticModel): Together | undefined {
  if (isLinear(name, model)) return { kind: 'group', aggregate: 'sum', measure: name }
  const measure = model.measures.get(name)
  if (measure) {
    const { aggregation } = measure
    const isExtreme = (aggregation === 'min' || aggregation === 'max') && isOfItsRows(measure)
    return isExtreme ? { kind: 'group', aggregate: aggregation, measure: name } : undefined
  }
  const metric = model.metrics.get(name)
  return metric?.type === 'derived' ? ofExpression(metric.expression, model) : undefined
}

/** Sums, products and ratios of measures: those of the rows together are of their sums. */
function ofExpression(expr: Expr<FieldRef>, model: SemanticModel): Together | undefined {
  switch (expr.kind) {
    case 'binary': {
      if (!['+', '-', '*', '/'].includes(expr.operator)) return undefined
      return operation(expr.operator, [expr.left, expr.right], model)
    }
    case 'unary':
      return expr.operator === '-' ? operation('-', [expr.operand], model) : undefined
    case 'literal':
      return typeof expr.value === 'number' ? { kind: 'number', value: expr.value } : undefined
    case 'parameter':
    case 'cast':
    case 'call':
    case 'case':
    case 'in':
    case 'like':
    case 'is-null':
      return undefined
    default:
      return togetherOf(expr.name, model)
  }
}

function operation(operator: string, parts: readonly Expr<FieldRef>[], model: SemanticModel): Together | undefined {
  const operands = parts.flatMap((part) => ofExpression(part, model) ?? [])
  return operands.length === parts.length ? { kind: 'operation', operator, operands } : undefined
}
