import type { NamedModel } from '../model-scope.js'
import type { ModelSelect, RestOfSelect } from '../model-select.js'
import { bodyOf, type Node } from '../node.js'
import { unsupported } from '../refusal.js'
import { expressionText, sortText, windowOf } from './expression.js'
import { type Leaf, leafColumn } from './leaves.js'
import { quoted, type Scope } from './scope.js'
import type { StatementWriter, Writer } from './writer.js'

/** A SELECT from one model: its query, and the rest of it over the query's rows. */
export function modelText<M extends NamedModel>(
  select: ModelSelect<M>,
  writer: StatementWriter<M>,
  outer: Scope,
  query = select.query,
): string {
  const leaf = writer.leaves.add(select, query)
  const scope: Scope = { ...outer, spelled: (node) => spelledIn(node, select, leaf) ?? outer.spelled(node) }
  const items = select.items.map(({ node, name, column }) => {
    const text = column === undefined ? expressionText(node, writer, scope) : leafColumn(leaf, column)
    return `${text} AS ${quoted(name)}`
  })
  const clauses = select.rest ? restText(select.rest, writer, scope) : []
  return [`SELECT ${select.rest?.distinct ? 'DISTINCT ' : ''}${items.join(', ')}`, `FROM ${quoted(leaf.name)}`, ...clauses].join(
    '\n',
  )
}

function spelledIn(node: Node, select: ModelSelect, leaf: Leaf): string | undefined {
  const label = select.labelOf(node)
  if (label !== undefined) return leafColumn(leaf, label)
  const grouping = bodyOf(node, 'GroupingFunc')
  if (!grouping) return undefined
  const flags = (grouping.args ?? []).map((arg) => {
    const total = `${select.labelOf(arg) ?? ''} is total`
    if (!select.columns.includes(total)) unsupported('GROUPING', 'GROUPING takes what ROLLUP, CUBE or GROUPING SETS group by')
    return `CAST(${leafColumn(leaf, total)} AS INTEGER)`
  })
  // The first is the most significant bit.
  return `(${flags.reduce((bits, flag) => `(${bits} * 2 + ${flag})`)})`
}

function restText(rest: RestOfSelect, writer: Writer, scope: Scope): string[] {
  const conditions = rest.conditions.map((node) => expressionText(node, writer, scope))
  const order = rest.order.map(({ sort, node, position }) =>
    sortText(sort, writer, scope, position === undefined ? expressionText(node, writer, scope) : String(position)),
  )
  return [
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ...windowsText(rest.windows, writer, scope),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
    ...(rest.limit === undefined ? [] : [`LIMIT ${rest.limit}`]),
    ...(rest.offset === undefined ? [] : [`OFFSET ${rest.offset}`]),
  ]
}

export function windowsText(windows: readonly Node[], writer: Writer, scope: Scope): string[] {
  if (windows.length === 0) return []
  const texts = windows.map((each) => {
    const window = bodyOf(each, 'WindowDef')!
    return `${quoted(window.name ?? '')} AS ${windowOf(window, writer, scope)}`
  })
  return [`WINDOW ${texts.join(', ')}`]
}
