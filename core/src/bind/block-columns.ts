import { entryOf, itemAt } from '../invariant.js'
import { isInner, leavesOf, mapLeaves } from '../model/expression/ast.js'
import { madeOf } from '../relation/relation.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { equal } from '../resolve/row-terms.js'
import { unlike, ValueMap } from '../same.js'
import type { BoundJoin, NamedExpr } from './bound-block.js'
import type { Bridge } from './bridge.js'
import type { BridgeColumn, FoundColumn, PeriodEndColumn, ReadColumn, ReadExpr } from './read-column.js'

/** The names of the columns that a block reads. */
export interface BlockColumns {
  /** The relations in the order of their first reading. */
  readonly tables: ReadonlySet<string>
  /** An expression over these names. */
  readonly named: (expression: ReadExpr) => RowExpr
  /** The columns of a bridge that is a separate relation. */
  readonly ofBridge: (node: string) => readonly NamedExpr[]
  /** The rows of an `exists` or a conversion, with their joins. */
  readonly found: readonly BoundJoin[]
}

/** Names for everything that the expressions read. Equal values share a name. The first column that is read of a bridge is its first column. */
export function blockColumns(reads: readonly ReadExpr[], bridges: readonly Pick<Bridge, 'node' | 'alias'>[]): BlockColumns {
  const leaves = reads.flatMap((read) => (isInner<ReadColumn>(read) ? leavesOf(read) : read))
  const unnamed = unlike(leaves.filter((leaf) => leaf.kind !== 'column'))
  const ranges = unlike(unnamed.flatMap(rangeIn)).map((range, i) => ({
    range,
    alias: madeOf(range.label.to, '_range', [range.node, `${i}`]),
  }))
  const found = unlike(unnamed.flatMap(foundIn)).map((column, i) => ({ column, alias: foundAlias(column, i) }))
  const exposed = bridges.flatMap((bridge) => exposedOf(bridge, unnamed))
  const names = new ValueMap<Unnamed, RelationColumn>([
    ...ranges.flatMap(({ range, alias }) =>
      (['first', 'last'] as const).map((end) => [{ ...range, end }, relationColumn(alias, end, range.type)] as const),
    ),
    ...found.map(({ column, alias }) => [column, relationColumn(alias, 'hit', column.type)] as const),
    ...exposed.map(({ column, as }) => [column, as] as const),
  ])
  const nameOf = (leaf: ReadColumn): RelationColumn => (leaf.kind === 'column' ? leaf : entryOf(names, leaf))
  const named = (expression: ReadExpr): RowExpr => mapLeaves(expression, nameOf)
  return {
    tables: new Set(leaves.map((leaf) => nameOf(leaf).table)),
    named,
    ofBridge: (node) =>
      exposed
        .filter(({ column }) => column.node === node)
        .map(({ column, as: { name, type } }) => ({ name, type, expression: named(column.value) })),
    found: [
      ...found.map(({ column, alias }) => foundJoin(column, alias)),
      ...ranges.map(({ range, alias }) => rangeJoin(range, alias)),
    ],
  }
}

type Unnamed = Exclude<ReadColumn, RelationColumn>

function foundIn(column: Unnamed): readonly FoundColumn[] {
  if (column.kind === 'period-end') return []
  return column.kind === 'found' ? [column] : leavesOf(column.value).filter((leaf) => leaf.kind === 'found')
}

/** The same for both ends of a range. */
const rangeIn = (column: Unnamed): readonly PeriodEndColumn[] =>
  column.kind === 'period-end' ? [{ ...column, end: 'first' }] : []

const foundAlias = ({ node, label }: FoundColumn, i: number): string => madeOf(label.to, '_found', [node, `${i}`])

interface Exposed {
  readonly column: BridgeColumn
  readonly as: RelationColumn
}

const exposedOf = ({ node, alias }: Pick<Bridge, 'node' | 'alias'>, unnamed: readonly Unnamed[]): readonly Exposed[] =>
  unnamed
    .filter((column) => column.kind === 'of-bridge')
    .filter((column) => column.node === node)
    .map((column, i) => ({ column, as: relationColumn(alias!, `c${i + 1}`, column.type) }))

const rangeJoin = ({ days, label }: PeriodEndColumn, alias: string): BoundJoin => ({
  right: { kind: 'day-range', ...days, alias },
  on: [],
  type: 'inner',
  label,
})

function foundJoin({ found, linkedTo, label }: FoundColumn, alias: string): BoundJoin {
  const on = found.links.map(({ name, type }, i) => equal<RelationColumn>(itemAt(linkedTo, i), relationColumn(alias, name, type)))
  return { right: { kind: 'found', ...found, alias }, on, type: 'left', label }
}
