import t from 'tap'
import { bodyOf, columnNode, integerNode, operation } from './node.js'
import { rewritten } from './rewrite.js'

const unchanged = operation('+', columnNode('a'), integerNode(1))
const tree = operation('*', unchanged, columnNode('b'))
const named = (name: string) => (node: object) => JSON.stringify(bodyOf(node, 'ColumnRef')?.fields)?.includes(`"${name}"`)

t.test('a tree without changes is the same object', async (t) => {
  t.equal(
    rewritten(tree, () => undefined),
    tree,
  )
})

t.test('unchanged parts are shared, and the input tree is unchanged', async (t) => {
  const before = JSON.stringify(tree)
  const after = rewritten(tree, (node) => (named('b')(node) ? integerNode(2) : undefined))
  t.same(after, operation('*', unchanged, integerNode(2)))
  t.equal(bodyOf(after, 'A_Expr')?.lexpr, unchanged)
  t.equal(JSON.stringify(tree), before)
})

t.test('a replaced node is not visited again, nor is an excluded node', async (t) => {
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
