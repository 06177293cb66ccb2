import { itemAt, lastOf } from '../invariant.js'
import { typeOf } from '../model/expression/type-of.js'
import { comparedOf } from '../model/join-term.js'
import { binary } from '../resolve/expressions.js'
import { type RowExpr, relationColumn, tablesIn } from '../resolve/relation-column.js'
import { expressionsOn, mapTerms, tablesOn } from '../resolve/row-terms.js'
import { type BlockColumns, blockColumns } from './block-columns.js'
import type { ReadConditions } from './block-conditions.js'
import type {
  BoundBridge,
  BoundFacts,
  BoundFrom,
  BoundJoin,
  BridgeRelation,
  Condition,
  ConnectionWeight,
  NamedExpr,
} from './bound-block.js'
import { boundRows } from './bound-rows.js'
import type { Bridge } from './bridge.js'
import { linkTerms, referringColumns, weightOf } from './bridge-link.js'
import type { ConnectedRows } from './connected-rows.js'
import { boundFacts } from './facts.js'
import type { ReadColumn, ReadExpr } from './read-column.js'
import type { GroupKey } from './read-connected.js'
import type { ReadShown } from './shown-rows.js'

/** Everything that a block reads. Relations are joined and columns are named in this order. */
export interface BlockReads {
  readonly groups: readonly GroupKey[]
  readonly values?: readonly RowExpr[]
  readonly conditions?: ReadConditions
  readonly shown?: readonly ReadShown[]
  readonly beside?: readonly RowExpr[]
  /** Relations of events, which are joined if something reads them. */
  readonly converted?: readonly BoundJoin[]
}

/** The rows of a block, and what is read over their columns. */
export interface ReadFrom {
  readonly from: BoundFrom
  readonly groupBy: readonly NamedExpr[]
  readonly where: readonly Condition[]
  readonly weight: ConnectionWeight | undefined
}

/** The rows of a block with the joins that its expressions need. */
export function boundFrom(connected: ConnectedRows, block: BlockReads): ReadFrom {
  const { base, bridges } = connected
  const links = bridges.map(linkTerms)
  const weight = weightOfAll(bridges)
  const read = readBlock(connected, block, [...links.flatMap(expressionsOn), ...(weight ? [weight] : [])])
  const { named } = read.columns
  const shown = block.shown ?? []
  const top = [...shown.flatMap(({ keys }) => keys), ...block.groups].findLast((group) => group.top)?.top
  const conditions = block.conditions?.conditions ?? []
  return {
    from: {
      base: boundRows(base, read.tables, read.made),
      bridges: bridges.map((bridge, i) => boundBridge(bridge, mapTerms(itemAt(links, i), named), read)),
      facts: read.facts,
      top: top && { ...top, on: mapTerms(top.on, named) },
      ...(shown.length > 0 && { shown: shown.map(({ join }) => ({ ...join, on: mapTerms(join.on, named) })) }),
    },
    groupBy: block.groups.map(({ key }) => ({ ...key, expression: named(key.expression) })),
    where: conditions.map((condition) => ({ ...condition, expression: named(condition.expression) })),
    weight: weight && connectionWeight(named(weight), connected, read.columns),
  }
}

/** What a block reads, by names. */
interface ReadBlock {
  readonly columns: BlockColumns
  readonly tables: readonly string[]
  /** The relations that are made of something. */
  readonly made: ReadonlyMap<string, BoundJoin>
  readonly facts: BoundFacts | undefined
}

function readBlock({ base, bridges, facts }: ConnectedRows, block: BlockReads, connecting: readonly ReadExpr[]): ReadBlock {
  const columns = blockColumns([...readsOf(block), ...connecting], bridges)
  const met = facts && boundFacts(facts, base)
  const joins = [...columns.found, ...(block.converted ?? []), ...(base.days ? [base.days.join] : [])]
  return {
    columns,
    tables: [...bridges.map(({ to }) => to.role.alias), ...columns.tables, ...(met ? tablesOn(met.on) : [])],
    made: new Map(joins.map((join) => [join.right.alias, join])),
    facts: met,
  }
}

const readsOf = ({ groups, values = [], conditions, shown = [], beside = [] }: BlockReads): readonly ReadExpr[] => [
  ...groups.flatMap(readsOfGroup),
  ...shown.flatMap(({ keys }) => keys.flatMap(readsOfGroup)),
  ...values,
  ...(conditions?.presences ?? []),
  ...(conditions?.conditions ?? []).map(({ expression }) => expression),
  ...beside,
]

const readsOfGroup = ({ key, top }: GroupKey): readonly ReadExpr[] => [...(top ? expressionsOn(top.on) : []), key.expression]

/** The weight of each connection, if a bridge has weights. */
function weightOfAll(bridges: readonly Bridge[]): ReadExpr | undefined {
  const weights = bridges.flatMap((bridge) => weightOf(bridge) ?? [])
  return weights.length === 0 ? undefined : weights.reduce((a, b) => binary<ReadColumn>('*', a, b))
}

function connectionWeight(expression: RowExpr, { base, bridges }: ConnectedRows, { ofBridge }: BlockColumns): ConnectionWeight {
  const columnsOf = ({ node, alias }: Bridge): readonly NamedExpr[] =>
    ofBridge(node).map(({ name, type }) => ({ name, type, expression: relationColumn(alias!, name, type) }))
  return {
    expression,
    type: typeOf(expression, (column) => column.type, base.context.functions),
    distinguishedBy: bridges.length === 1 ? [] : bridges.filter(({ weight }) => weight !== undefined).flatMap(columnsOf),
  }
}

function boundBridge(bridge: Bridge, on: BoundBridge['on'], { columns, tables, made }: ReadBlock): BoundBridge {
  const { node, rows, conditions, weight, to, link } = bridge
  const own = columns.ofBridge(node)
  const inside = [...conditions, ...(weight ? [weight.expression] : []), ...own.map(({ expression }) => expression)]
  const reason = 'bridge: the rows that connect, or one empty row'
  return {
    rows: boundRows(rows, [...inside.flatMap(tablesIn), ...tables], made),
    where: conditions,
    on,
    ...referring(bridge),
    label: { from: to.object, to: node, columns: comparedOf(lastOf(link).on, 'to'), reason },
    relation: relationOf(bridge, own),
  }
}

function referring(bridge: Bridge): Pick<BoundBridge, 'matchedBy'> {
  const columns = referringColumns(bridge)
  return columns.length > 0 ? { matchedBy: columns } : {}
}

function relationOf({ node, alias, weight, distinct }: Bridge, columns: readonly NamedExpr[]): BridgeRelation | undefined {
  if (alias === undefined) return undefined
  if (weight?.sum === undefined) return { alias, columns, alike: distinct ? 'one' : 'several' }
  const { expression, type, sum: name } = weight
  const reason = `equal rows of '${node}' become one with the sum of their weights`
  return { alias, columns, alike: { weight: { name, expression, type }, reason } }
}
