/** The additive measures of a model. */
import type { SemanticModel } from '@grainline/core'
import type { Expr, FieldRef } from '@grainline/core/language'

import { isOfItsRows } from './main-fact.js'

const SUMS: ReadonlySet<string> = new Set(['sum', 'count', 'count_if'])

/** True if the value of several groups together is the sum of their values. */
export function isLinear(name: string, model: SemanticModel): boolean {
  const measure = model.measures.get(name)
  if (measure) return SUMS.has(measure.aggregation) && !measure.distinct && isOfItsRows(measure)
  const metric = model.metrics.get(name)
  return metric?.type === 'derived' && isSum(metric.expression, model)
}

function isSum(expr: Expr<FieldRef>, model: SemanticModel): boolean {
  switch (expr.kind) {
    case 'binary':
      if (expr.operator === '+' || expr.operator === '-') return isSum(expr.left, model) && isSum(expr.right, model)
      if (expr.operator === '*') return isFactor(expr.left, expr.right, model) || isFactor(expr.right, expr.left, model)
      return expr.operator === '/' && isFactor(expr.right, expr.left, model)
    case 'unary':
      return expr.operator === '-' && isSum(expr.operand, model)
    case 'cast':
      return isSum(expr.operand, model)
    case 'literal':
    case 'parameter':
    case 'call':
    case 'case':
    case 'in':
    case 'like':
    case 'is-null':
      return false
    default:
      return isLinear(expr.name, model)
  }
}

const isFactor = (factor: Expr<FieldRef>, sum: Expr<FieldRef>, model: SemanticModel): boolean =>
  factor.kind === 'literal' && isSum(sum, model)
