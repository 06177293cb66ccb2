import { type DataType, isInDefaultZone, TIMESTAMP, TIMESTAMP_TZ } from '../data-type.js'
import type { FunctionSpec } from '../functions/function-spec.js'
import { type Expr, type InnerNode, isInner, isLiteral, mapOperands, someNode } from './ast.js'
import { typeOf } from './type-of.js'

/**
 * The type of the value of an expression over columns or fields. Instants in it are the local times that show them, so its value is an
 * instant only if it is one of several instants, or one that is moved by hours, minutes or seconds.
 */
export function valueType<L extends { readonly kind: string }>(
  expr: Expr<L>,
  typeOfLeaf: (leaf: L) => DataType,
  functions: ReadonlyMap<string, FunctionSpec>,
): DataType {
  if (!isInner<L>(expr)) return typeOfLeaf(expr)
  return isInstant(expr, typeOfLeaf) ? TIMESTAMP_TZ : shownType(expr, typeOfLeaf, functions)
}

/** The type of an expression in which every time is a local time. */
export const shownType = <L extends { readonly kind: string }>(
  expr: Expr<L>,
  typeOfLeaf: (leaf: L) => DataType,
  functions: ReadonlyMap<string, FunctionSpec>,
): DataType => typeOf(withoutInstants(expr), (leaf: L) => shown(typeOfLeaf(leaf)), functions)

const shown = (type: DataType): DataType => (type.kind === 'timestamp_tz' || isInDefaultZone(type) ? TIMESTAMP : type)

const isNamedInstant = (node: { readonly kind: string; readonly type?: DataType }): boolean =>
  node.kind === 'cast' && node.type?.kind === 'timestamp_tz'

function withoutInstants<L extends { readonly kind: string }>(expr: Expr<L>): Expr<L> {
  if (!someNode<L>(expr, isNamedInstant)) return expr
  const go = (e: Expr<L>): Expr<L> => {
    if (!isInner<L>(e)) return e
    return mapOperands<L, L>(e.kind === 'cast' && isNamedInstant(e) ? { ...e, type: TIMESTAMP } : e, go)
  }
  return go(expr)
}

const CHOICES: ReadonlySet<string> = new Set(['coalesce', 'nullif', 'greatest', 'least'])
const PASSING: ReadonlySet<unknown> = new Set(['second', 'minute', 'hour'])

/** NULL is an instant if it is one of several values of which another is. */
function isInstant<L extends { readonly kind: string }>(expr: Expr<L>, typeOfLeaf: (leaf: L) => DataType): boolean {
  const go = (e: Expr<L>): boolean => (isInner<L>(e) ? isInstantNode(e) : typeOfLeaf(e).kind === 'timestamp_tz')
  const oneOf = (values: readonly Expr<L>[]): boolean => {
    const known = values.filter((value) => !(isLiteral(value) && value.value === null))
    return known.length > 0 && known.every(go)
  }
  const isInstantNode = (node: InnerNode<L>): boolean => {
    switch (node.kind) {
      case 'case':
        return oneOf([...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])])
      case 'cast':
        return isNamedInstant(node)
      case 'call': {
        const [unit, , value] = node.args
        if (node.name === 'date_add') return value !== undefined && isPassing(unit) && go(value)
        return CHOICES.has(node.name) && oneOf(node.args)
      }
      default:
        return false
    }
  }
  return go(expr)
}

const isPassing = (unit: { readonly kind: string } | undefined): boolean =>
  unit !== undefined && isLiteral(unit) && PASSING.has(String(unit.value).toLowerCase())
