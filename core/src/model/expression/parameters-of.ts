import type { FunctionSpec } from '../functions/function-spec.js'
import { type Parameter, parameterAt } from '../functions/parameter.js'
import { type InnerNode, operandsOf } from './ast.js'
import { operatorSpecs } from './operator-spec.js'

/** What each operand of a node must be, in reading order; `undefined` if only the engine or a plugin knows. */
export function parametersOf<L>(
  node: InnerNode<L>,
  functions: ReadonlyMap<string, FunctionSpec>,
): readonly Parameter[] | undefined {
  if (node.kind === 'case') {
    const [when, then] = operatorSpecs.choice.takes
    return [...node.branches.flatMap(() => [when, then]), ...(node.otherwise ? [then] : [])]
  }
  const takes = takenBy(node, functions)
  return takes && operandsOf<L>(node).map((_, at) => parameterAt(takes, at))
}

function takenBy<L>(node: InnerNode<L>, functions: ReadonlyMap<string, FunctionSpec>): readonly Parameter[] | undefined {
  switch (node.kind) {
    case 'unary':
      return (node.operator === 'not' ? operatorSpecs.not : operatorSpecs.negation).takes
    case 'binary':
      return binarySpec(node.operator).takes
    case 'call':
      return functions.get(node.name)?.takes
    case 'in':
      return operatorSpecs.comparison.takes
    case 'like':
      return operatorSpecs.like.takes
    default:
      return operatorSpecs.isNull.takes
  }
}

function binarySpec(operator: string) {
  switch (operator) {
    case '+':
    case '-':
    case '*':
      return operatorSpecs.sum
    case '/':
      return operatorSpecs.quotient
    case 'and':
    case 'or':
      return operatorSpecs.logic
    default:
      return operatorSpecs.comparison
  }
}

/** The operator or function of a node, as it is written. */
export function operatorOf<L>(node: InnerNode<L>): string {
  switch (node.kind) {
    case 'unary':
      return node.operator.toUpperCase()
    case 'binary':
      return node.operator.toUpperCase()
    case 'call':
      return node.name
    case 'is-null':
      return 'IS NULL'
    default:
      return node.kind.toUpperCase()
  }
}
