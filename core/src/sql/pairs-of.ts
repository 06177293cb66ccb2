import { BOOLEAN, INT } from '../model/data-type.js'
import { inputsOf } from '../plan/inputs.js'
import type { LogicalPlan, Pairs } from '../plan/logical-plan.js'
import { columnsRead } from '../plan/spine.js'
import { binary, call, integer, isNull, onlyWhere } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import {
  aggregate,
  type From,
  type Select,
  type SelectItem,
  type SqlExpr,
  type SqlLeaf,
  type Statement,
  select,
} from './statement.js'

/*
 * The pairs of a tree, from above: each row goes down to those that name it, and stops where it meets itself. A row has one parent, so that it is met once, on its
 * shortest way, and a circle ends where it began. What is not read of a pair is not computed.
 */

interface NamedPairs {
  readonly ctes: Statement['ctes']
  /** The name under which the pairs are read. */
  readonly name: string
}

export function pairsOf(plan: Pairs, nodes: string): NamedPairs {
  const { names } = plan
  const read = columnsOfPairs(plan.input, plan.object)
  const [hasLevel, hasLeaf] = [read.has('level'), read.has('is_leaf')]
  const tree = { name: names.tree, query: { kind: 'union-all' as const, parts: treeOf(plan, nodes, hasLevel) } }
  if (!hasLevel && !hasLeaf) return { ctes: [tree], name: names.tree }
  return { ctes: [tree, { name: names.pairs, query: described(plan, nodes, { hasLevel, hasLeaf }) }], name: names.pairs }
}

/** The columns that a plan reads of the pairs of a closure. */
function columnsOfPairs(plan: LogicalPlan, object: string): ReadonlySet<string> {
  const aliases = new Set<string>()
  const nodes: LogicalPlan[] = []
  const visit = (at: LogicalPlan): void => {
    nodes.push(at)
    if (at.kind === 'scan' && at.object === object) aliases.add(at.alias)
    for (const input of inputsOf(at)) visit(input)
  }
  visit(plan)
  return new Set(columnsRead(nodes).flatMap(({ table, name }) => (aliases.has(table) ? [name] : [])))
}

/** Each row with itself, and then each pair with those that name its lower row. */
function treeOf({ names: { tree }, type, maxDepth }: Pairs, nodes: string, hasLevel: boolean): readonly Select[] {
  const [above, below] = [`${nodes}_above`, `${nodes}_below`]
  const key = (alias: string): SqlExpr => relationColumn(alias, 'key', type)
  const parent = (alias: string): SqlExpr => relationColumn(alias, 'parent', type)
  const own = (name: string, of = INT): SqlExpr => relationColumn(tree, name, of)
  const isRoot: SqlExpr = {
    kind: 'case',
    branches: [{ when: either(isNull(key(above)), binary('=', key(above), key(below))), then: integer(1) }],
    otherwise: integer(0),
  }
  const rows = (alias: string): From => ({ kind: 'cte', name: nodes, alias })
  const first: From = hasLevel ? join('left', rows(below), rows(above), binary('=', key(above), parent(below))) : rows(below)
  const start = select(
    [
      item('ancestor', key(below), type),
      item('descendant', key(below), type),
      item('depth', wide(integer(0)), INT),
      ...(hasLevel ? [item('is_root', wide(isRoot), INT)] : []),
    ],
    first,
  )
  const deeper: SqlExpr = {
    kind: 'case',
    branches: [{ when: binary('>=', own('depth'), integer(maxDepth)), then: call('too_deep', own('depth')) }],
    otherwise: binary('+', own('depth'), integer(1)),
  }
  const from = join(
    'inner',
    { kind: 'cte', name: tree, alias: tree },
    rows(below),
    binary('=', parent(below), own('descendant', type)),
  )
  const step = select(
    [
      item('ancestor', own('ancestor', type), type),
      item('descendant', key(below), type),
      item('depth', deeper, INT),
      ...(hasLevel ? [item('is_root', own('is_root'), INT)] : []),
    ],
    from,
    // An engine computes the depth, and with it the error, because a condition reads it.
    { where: [binary('<>', key(below), own('ancestor', type)), binary('<=', own('depth'), integer(maxDepth))] },
  )
  return [start, step]
}

interface Described {
  readonly hasLevel: boolean
  readonly hasLeaf: boolean
}

/** The pairs with the level of the upper row, and whether it is a leaf. */
function described({ names: { tree, levels, parents }, type }: Pairs, nodes: string, { hasLevel, hasLeaf }: Described): Select {
  const own = (name: string, of = type): SqlExpr => relationColumn(tree, name, of)
  const pairs: From = { kind: 'cte', name: tree, alias: tree }
  const levelled: From = hasLevel
    ? join(
        'inner',
        pairs,
        { kind: 'subquery', query: levelsOf(tree, type), alias: levels },
        binary('=', relationColumn(levels, 'key', type), own('ancestor')),
      )
    : pairs
  const from: From = hasLeaf
    ? join(
        'left',
        levelled,
        { kind: 'subquery', query: parentsOf(nodes, type), alias: parents },
        binary('=', relationColumn(parents, 'key', type), own('ancestor')),
      )
    : levelled
  return select(
    [
      item('ancestor', own('ancestor'), type),
      item('descendant', own('descendant'), type),
      item('depth', own('depth', INT), INT),
      ...(hasLevel ? [item('level', relationColumn(levels, 'level', INT), INT)] : []),
      ...(hasLeaf
        ? [{ alias: 'is_leaf', expression: isNull<SqlLeaf>(relationColumn(parents, 'key', type)), type: BOOLEAN }]
        : []),
    ],
    from,
  )
}

/** A row has as many rows above it as its level says, if one of them is a root; on a circle, or below one, none is. */
function levelsOf(tree: string, type: Pairs['type']): Select {
  const key = relationColumn(tree, 'descendant', type)
  const hasRoot = binary<SqlLeaf>('=', aggregate('max', [relationColumn(tree, 'is_root', INT)], INT), integer(1))
  return select(
    [item('key', key, type), item('level', onlyWhere(hasRoot, aggregate('count', [], INT)), INT)],
    { kind: 'cte', name: tree, alias: tree },
    { groupBy: [key] },
  )
}

/** Which rows others name as their parent. */
const parentsOf = (nodes: string, type: Pairs['type']): Select =>
  select(
    [item('key', relationColumn(nodes, 'parent', type), type)],
    { kind: 'cte', name: nodes, alias: nodes },
    {
      distinct: true,
      where: [binary<SqlLeaf>('<>', relationColumn(nodes, 'parent', type), relationColumn(nodes, 'key', type))],
    },
  )

const item = (alias: string, expression: SqlExpr, type: SelectItem['type']): SelectItem => ({ alias, expression, type })

const join = (type: 'left' | 'inner', left: From, right: From, on: SqlExpr): From => ({ kind: 'join', type, left, right, on })

const either = (left: SqlExpr, right: SqlExpr): SqlExpr => binary('or', left, right)

/** The first part of the union decides the types of its columns. */
const wide = (operand: SqlExpr): SqlExpr => ({ kind: 'cast', operand, type: INT })
