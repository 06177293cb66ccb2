import { isInner } from '../model/expression/ast.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'

type Relations = ReadonlySet<string>

/** The relations without a row of which a condition is never true. */
export function neededBy(condition: RowExpr): Relations {
  if (!isInner<RelationColumn>(condition)) return nullWithout(condition)
  switch (condition.kind) {
    case 'binary':
      if (condition.operator === 'and') return either(neededBy(condition.left), neededBy(condition.right))
      if (condition.operator === 'or') return both(neededBy(condition.left), neededBy(condition.right))
      break
    case 'unary':
      if (condition.operand.kind === 'is-null') return nullWithout(condition.operand.operand)
  }
  return nullWithout(condition)
}

/** The relations without a row of which an expression is NULL. */
function nullWithout(expression: RowExpr): Relations {
  if (!isInner<RelationColumn>(expression)) return new Set([expression.table])
  switch (expression.kind) {
    case 'literal':
    case 'is-null':
      return NONE
    case 'unary':
    case 'cast':
    case 'in':
      return nullWithout(expression.operand)
    case 'binary': {
      const sides = [nullWithout(expression.left), nullWithout(expression.right)] as const
      // What is false, or true, is so whatever stands beside it.
      return expression.operator === 'and' || expression.operator === 'or' ? both(...sides) : either(...sides)
    }
    case 'like':
      return either(nullWithout(expression.operand), nullWithout(expression.pattern))
    case 'call':
      return isKnown(expression.name) ? ofCall(expression.name, expression.args) : NONE
    case 'case': {
      const branches = expression.branches.map(({ when, then }) => either(neededBy(when), nullWithout(then)))
      return [...branches, ...(expression.otherwise ? [nullWithout(expression.otherwise)] : [])].reduce(both)
    }
  }
}

function ofCall(name: string, args: readonly RowExpr[]): Relations {
  const [first = NONE, ...rest] = args.map(nullWithout)
  if (name === 'coalesce') return rest.reduce(both, first)
  return name === 'nullif' ? first : rest.reduce(either, first)
}

/** A function that a plugin brings may make anything of NULL. */
const isKnown = (name: string): boolean => builtInFunctions.has(name) || name === 'in_zone' || name === 'from_zone'

const NONE: Relations = new Set()
const either = (a: Relations, b: Relations): Relations => (a.size === 0 ? b : b.size === 0 ? a : new Set([...a, ...b]))
const both = (a: Relations, b: Relations): Relations => (a.size === 0 ? a : new Set([...a].filter((one) => b.has(one))))
