import t from 'tap'
import { bodyOf, columnNode, integerNode, operation } from './node.js'
import { rewritten } from './rewrite.js'

const unchanged = operation('+', columnNode('a'), integerNode(1))
const tree = operation('*', unchanged, columnNode('b'))
const named = (name: string) => (node: object) => JSON.stringify(bodyOf(node, 'ColumnRef')?.fields)?.includes(`"${name}"`)

t.test('a tree in which nothing changes is the same tree', async (t) => {
  t.equal(
    rewritten(tree, () => undefined),
    tree,
  )
})

t.test('what is not changed is shared, and the tree that is read stays as it is', async (t) => {
  const before = JSON.stringify(tree)
  const after = rewritten(tree, (node) => (named('b')(node) ? integerNode(2) : undefined))
  t.same(after, operation('*', unchanged, integerNode(2)))
  t.equal(bodyOf(after, 'A_Expr')?.lexpr, unchanged)
  t.equal(JSON.stringify(tree), before)
})

t.test('the new words of a node are not looked into again, nor is a node that is not to be entered', async (t) => {
  const doubled = rewritten(columnNode('a'), (node) =>
    named('a')(node) ? operation('+', columnNode('a'), columnNode('a')) : undefined,
  )
  t.same(doubled, operation('+', columnNode('a'), columnNode('a')))
  const kept = rewritten(
    tree,
    (node) => (named('a')(node) ? integerNode(2) : undefined),
    (node) => node !== unchanged,
  )
  t.equal(kept, tree)
})
