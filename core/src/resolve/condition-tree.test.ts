/** In the expression of a tree, what is unknown is kept where a filter asks for that, and only there. */
import t from 'tap'
import { said } from '../../../test/support/said.js'
import { BOOLEAN } from '../model/data-type.js'
import { type ConditionTree, treeExpression } from './condition-tree.js'
import { isNull } from './expressions.js'
import { type RelationColumn, relationColumn } from './relation-column.js'

type Tree = ConditionTree<RelationColumn>

const a = relationColumn('t', 'a', BOOLEAN)
const b = relationColumn('t', 'b', BOOLEAN)
const one = (expression: RelationColumn, more: object = {}): Tree => ({
  kind: 'condition',
  expression,
  unknown: isNull(expression),
  ...more,
})
const known: Tree = { kind: 'condition', expression: b }
const group = (logic: 'and' | 'or', parts: readonly Tree[], more: object = {}): Tree => ({
  kind: 'group',
  logic,
  parts,
  negated: false,
  ...more,
})
const opposite = { negated: true }
const kept = { negated: true, orMissing: true }

const trees: readonly (readonly [what: string, tree: Tree, expression: string])[] = [
  ['a condition', one(a), 't.a'],
  ['a condition that keeps the unknown', one(a, { orMissing: true }), '(t.a or t.a is null)'],
  ['a condition that is never unknown', { ...known, orMissing: true }, 't.b'],
  ['a group', group('and', [one(a), one(b)]), '(t.a and t.b)'],
  ['a negated group', group('and', [one(a), one(b)], opposite), 'not (t.a and t.b)'],
  ['a negated group that keeps it', group('or', [one(a), known], kept), '((not t.a or t.a is null) and not t.b)'],
  ['of all', group('and', [one(a), known], kept), '((not t.a or t.a is null) or not t.b)'],
  ['around a negated group', group('and', [group('or', [one(a), known], opposite)], kept), '((t.a or t.a is null) or t.b)'],
  ['around one that keeps it', group('and', [group('and', [one(a)], kept)], kept), 'not (not t.a or t.a is null)'],
  ['around a condition that keeps it', group('and', [one(a, { orMissing: true })], kept), 'not (t.a or t.a is null)'],
  [
    'around two negations',
    group('and', [group('and', [group('and', [one(a)], opposite)], opposite)], kept),
    '(not t.a or t.a is null)',
  ],
  ['of nothing', group('and', [], kept), 'false'],
  ['of none', group('or', [], kept), 'true'],
]
for (const [what, tree, expression] of trees) t.test(what, async (t) => t.equal(said(treeExpression(tree)), expression))
