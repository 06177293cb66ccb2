import { lastOf } from '../invariant.js'
import { typeOf } from '../model/expression/type-of.js'
import { binary } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { type BlockColumns, blockColumns } from './block-columns.js'
import type { BoundBridge, BoundFrom, BoundJoin, BridgeRelation, ConnectionWeight, NamedExpr } from './bound-block.js'
import { boundRows, tablesOf } from './bound-rows.js'
import type { Bridge } from './bridge.js'
import { linkCondition, weightOf } from './bridge-link.js'
import type { ConnectedRows } from './connected-rows.js'
import { boundFacts } from './facts.js'
import type { ReadColumn, ReadExpr } from './read-column.js'
import type { GroupKey } from './read-connected.js'

/** Everything that a block reads. Relations are joined and columns are named in this order. */
export interface BlockReads {
  readonly groups: readonly GroupKey[]
  readonly others?: readonly ReadExpr[]
  /** Relations of events, which are joined if something reads them. */
  readonly converted?: readonly BoundJoin[]
}

export interface ReadFrom {
  readonly from: BoundFrom
  readonly groupBy: readonly NamedExpr[]
  readonly weight: ConnectionWeight | undefined
  /** The read expressions, over the columns of `from`. */
  readonly named: BlockColumns['named']
}

/** The rows of a block with the joins that its expressions need, independent of the order of reading. */
export function boundFrom(connected: ConnectedRows, { groups, others = [], converted = [] }: BlockReads): ReadFrom {
  const { base, bridges, facts } = connected
  const links = bridges.map(linkCondition)
  const weight = weightOfAll(bridges)
  const reads = [...groups.flatMap(readsOfGroup), ...others, ...links, ...(weight ? [weight] : [])]
  const columns = blockColumns(reads, bridges)
  const { named, found } = columns
  const met = facts && boundFacts(facts, base)
  const tables = met ? new Set([...columns.tables, ...tablesOf([met.on])]) : columns.tables
  const read = { columns, tables, made: new Map([...found, ...converted].map((join) => [join.right.alias, join])) }
  const top = groups.findLast((group) => group.top)?.top
  return {
    from: {
      base: boundRows(base, bridges.length > 0 ? [...bridges.map(({ to }) => to.role.alias), ...tables] : tables, read.made),
      bridges: bridges.map((bridge, i) => boundBridge(bridge, named(links[i]!), read)),
      facts: met,
      top: top && { ...top, on: named(top.on) },
    },
    groupBy: groups.map(({ key }) => ({ ...key, expression: named(key.expression) })),
    weight: weight && connectionWeight(named(weight), connected, columns),
    named,
  }
}

const readsOfGroup = ({ key, top }: GroupKey): readonly ReadExpr[] => [...(top ? [top.on] : []), key.expression]

/** The weight of each connection, if a bridge has weights. */
function weightOfAll(bridges: readonly Bridge[]): ReadExpr | undefined {
  const weights = bridges.flatMap((bridge) => weightOf(bridge) ?? [])
  return weights.length === 0 ? undefined : weights.reduce((a, b) => binary<ReadColumn>('*', a, b))
}

function connectionWeight(expression: RowExpr, { base, bridges }: ConnectedRows, { ofBridge }: BlockColumns): ConnectionWeight {
  const apart = ({ node, alias }: Bridge): readonly NamedExpr[] =>
    ofBridge(node).map(({ name, type }) => ({ name, type, expression: relationColumn(alias!, name, type) }))
  return {
    expression,
    type: typeOf(expression, (column) => column.type, base.context.functions),
    apart: bridges.length === 1 ? [] : bridges.filter(({ weight }) => weight !== undefined).flatMap(apart),
  }
}

interface ReadBlock {
  readonly columns: BlockColumns
  readonly tables: Iterable<string>
  readonly made: ReadonlyMap<string, BoundJoin>
}

function boundBridge(bridge: Bridge, on: RowExpr, { columns, tables, made }: ReadBlock): BoundBridge {
  const { node, rows, conditions, weight, to, link } = bridge
  const own = columns.ofBridge(node)
  const inside = [...conditions, ...(weight ? [weight.expression] : []), ...own.map(({ expression }) => expression)]
  const reason = 'bridge: the rows that connect, or one empty row'
  return {
    rows: boundRows(rows, [...tablesOf(inside), ...tables], made),
    where: conditions,
    on,
    label: { from: to.object, to: node, columns: lastOf(link).columnsTo, reason },
    relation: relationOf(bridge, own),
  }
}

function relationOf({ node, alias, weight, distinct }: Bridge, columns: readonly NamedExpr[]): BridgeRelation | undefined {
  if (alias === undefined) return undefined
  if (weight?.sum === undefined) return { alias, columns, alike: distinct ? 'one' : 'several' }
  const { expression, type, sum: name } = weight
  const reason = `equal rows of '${node}' become one with the sum of their weights`
  return { alias, columns, alike: { weight: { name, expression, type }, reason } }
}
