import { isInner, leavesOf } from '../model/expression/ast.js'
import { binary, integer } from '../resolve/expressions.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import type { From, SqlExpr, SqlLeaf } from './statement.js'

type Join = From & { readonly kind: 'join' }

/** The condition of an outer join that compares by order alone, with an equality that always holds, for engines that find rows by equalities. */
export function withEquality({ type, left, right, on, nearest }: Join): SqlExpr | undefined {
  if (on === undefined || nearest || (type !== 'left' && type !== 'full')) return on
  const sides = [aliasesOf(left), aliasesOf(right)]
  const [here, there] = sides.map((aliases) => columnsIn(on).find(({ table }) => aliases.has(table)))
  if (!here || !there || conjunctsOf(on).some((one) => isEquality(one, sides))) return on
  return binary<SqlLeaf>('and', binary<SqlLeaf>('=', always(here), always(there)), on)
}

/** 1, and no engine knows it without the row, also of a column that is never NULL. */
const always = (column: SqlExpr): SqlExpr => ({
  kind: 'case',
  branches: [{ when: binary<SqlLeaf>('=', column, column), then: integer(1) }],
  otherwise: integer(1),
})

const columnsIn = (expression: SqlExpr): readonly RelationColumn[] =>
  leavesOf<SqlLeaf>(expression).filter((leaf) => leaf.kind === 'column')

const conjunctsOf = (on: SqlExpr): readonly SqlExpr[] =>
  on.kind === 'binary' && on.operator === 'and' ? [...conjunctsOf(on.left), ...conjunctsOf(on.right)] : [on]

/** Of something in one table with something in the other, also where both may be NULL. */
function isEquality(condition: SqlExpr, sides: readonly ReadonlySet<string>[]): boolean {
  if (!isInner<SqlLeaf>(condition)) return false
  const compared =
    condition.kind === 'binary' && condition.operator === '='
      ? [condition.left, condition.right]
      : condition.kind === 'call' && condition.name === 'same'
        ? condition.args
        : []
  const found = compared.map((one) => sides.filter((aliases) => columnsIn(one).some(({ table }) => aliases.has(table))))
  return found.length === 2 && found.every((of) => of.length === 1) && found[0]![0] !== found[1]![0]
}

function aliasesOf(from: From): ReadonlySet<string> {
  if (from.kind === 'join') return new Set([...aliasesOf(from.left), ...aliasesOf(from.right)])
  return new Set(from.kind === 'nothing' ? [] : [from.alias])
}
