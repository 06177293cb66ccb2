import type {
  BoundAggregate,
  BoundBlock,
  BoundBridge,
  BoundEvents,
  BoundFact,
  BoundFrom,
  BoundJoin,
  BoundRows,
  FactsInWindows,
  JoinLabel,
  Scan,
} from '../bind/bound-block.js'
import type { NamedRelation } from '../bind/relation-names.js'
import { mapLeaves } from '../model/expression/ast.js'
import type { Aliases } from '../resolve/aliases.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'

/** Parts of a block with its relations under the names that they have in the statement. */
export interface RelationNaming {
  readonly all: <T extends { readonly expression: RowExpr }>(values: readonly T[]) => readonly T[]
  readonly block: (block: BoundBlock) => BoundBlock
  readonly from: (from: BoundFrom) => BoundFrom
  readonly facts: (facts: FactsInWindows) => FactsInWindows
}

/** Names the relations of a block in the statement. */
export function relationNaming(relations: readonly NamedRelation[], names: Aliases): RelationNaming {
  const given = new Map<string, string>()
  for (const { name, of, suffix } of relations) {
    const own = suffix === undefined ? names.relation(of) : names.derived(of, suffix)
    if (own !== name) given.set(name, own)
  }
  return given.size === 0 ? AS_THEY_ARE : renaming(given)
}

const same = <T>(value: T): T => value
const AS_THEY_ARE: RelationNaming = { all: same, block: same, from: same, facts: same }

function renaming(names: ReadonlyMap<string, string>): RelationNaming {
  const named = (alias: string): string => names.get(alias) ?? alias
  const aliased = <T extends { readonly alias: string }>(relation: T): T => ({ ...relation, alias: named(relation.alias) })
  const leafOf = (leaf: RelationColumn): RelationColumn => {
    const table = names.get(leaf.table)
    return table === undefined ? leaf : { ...leaf, table }
  }
  const expression = (value: RowExpr): RowExpr => mapLeaves<RelationColumn, RelationColumn>(value, leafOf)
  const valued = <T extends { readonly expression: RowExpr }>(value: T): T => ({
    ...value,
    expression: expression(value.expression),
  })
  const all = <T extends { readonly expression: RowExpr }>(values: readonly T[]): readonly T[] => values.map((v) => valued(v))
  const labelled = (label: JoinLabel): JoinLabel => (label.role === undefined ? label : { ...label, role: named(label.role) })

  const aggregate = (a: BoundAggregate): BoundAggregate => ({
    ...a,
    args: all(a.args),
    orderBy: all(a.orderBy),
    filter: a.filter && expression(a.filter),
    ...(a.onlyWith && { onlyWith: expression(a.onlyWith) }),
  })
  const right = (joined: BoundJoin['right']): BoundJoin['right'] => {
    switch (joined.kind) {
      case 'scan':
        return aliased(joined)
      case 'found':
        return { ...aliased(joined), rows: rows(joined.rows), where: joined.where.map(expression), links: all(joined.links) }
      case 'converted':
        return { ...aliased(joined), base: made(joined.base), next: made(joined.next) }
    }
  }
  const rows = ({ start, joins }: BoundRows): BoundRows => ({
    start: aliased<Scan>(start),
    joins: joins.map((j) => ({ ...j, right: right(j.right), on: j.on && expression(j.on), label: labelled(j.label) })),
  })
  const bridge = (b: BoundBridge): BoundBridge => ({
    ...b,
    rows: rows(b.rows),
    where: b.where.map(expression),
    on: expression(b.on),
    relation: b.relation && relation(b.relation),
  })
  const relation = (r: NonNullable<BoundBridge['relation']>): NonNullable<BoundBridge['relation']> => ({
    ...aliased(r),
    columns: all(r.columns),
    alike: typeof r.alike === 'string' ? r.alike : { ...r.alike, weight: valued(r.alike.weight) },
  })
  const from = ({ base, bridges, facts, top }: BoundFrom): BoundFrom => ({
    base: rows(base),
    bridges: bridges.map(bridge),
    facts: facts && { ...aliased(facts), legs: facts.legs.map((leg) => made(leg)), on: expression(facts.on) },
    top: top && { ...aliased(top), on: expression(top.on) },
  })
  const block = (b: BoundBlock): BoundBlock => ({
    ...b,
    from: from(b.from),
    where: all(b.where),
    groupBy: all(b.groupBy),
    aggregates: b.aggregates.map(aggregate),
    onceBy: b.onceBy && all(b.onceBy),
    weight: b.weight && { ...valued(b.weight), apart: all(b.weight.apart) },
    beside: all(b.beside),
  })
  const made = <T extends BoundEvents | BoundFact>(part: T): T => ({ ...aliased(part), block: block(part.block) })
  const facts = (windowed: FactsInWindows): FactsInWindows => ({
    ...windowed,
    facts: windowed.facts.map((fact) => ({
      ...made(fact),
      beside: fact.beside && { ...aliased(fact.beside), from: from(fact.beside.from), columns: all(fact.beside.columns) },
    })),
    own: windowed.own && made(windowed.own),
  })
  return { all, block, from, facts }
}
