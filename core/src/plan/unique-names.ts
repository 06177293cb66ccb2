import { onlyOf } from '../invariant.js'
import { mapLeaves } from '../model/expression/ast.js'
import { Aliases, plainName } from '../resolve/aliases.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { isSame } from '../same.js'
import { mapPlans } from './inputs.js'
import { joinedRowsOf } from './joined-rows.js'
import type { Combine, Join, Leg, LogicalPlan, Pairs, Shared } from './logical-plan.js'
import { mapExpressions } from './map-expressions.js'

/**
 * The plan with a unique name in the whole statement for each relation. Before this step a name denotes the relation that an expression
 * sees: one of those that its node reads. `tables` are names in lower case that only scans may have.
 */
export function uniquelyNamed(plan: LogicalPlan, tables: ReadonlySet<string>): LogicalPlan {
  return new Naming(tables).of(plan).plan
}

/** The names of relations in the statement, by their name in the plan. Relations that share a name cannot be read. */
interface Names {
  readonly of: ReadonlyMap<string, readonly string[]>
  /** Some of the names differ from those in the plan. */
  readonly differ: boolean
}

interface NamedPlan<P extends LogicalPlan = LogicalPlan> {
  readonly plan: P
  /** The relations that the plan above can read. */
  readonly names: Names
}

const NONE: Names = { of: new Map(), differ: false }

class Naming {
  readonly #names: Aliases
  readonly #shared: { readonly of: Shared; readonly named: NamedPlan }[] = []

  constructor(tables: ReadonlySet<string>) {
    this.#names = new Aliases(tables)
  }

  of(plan: LogicalPlan): NamedPlan {
    switch (plan.kind) {
      case 'scan':
        return this.#under(plan, this.#names.relation(plan.object))
      case 'join':
        return this.#joined(plan)
      case 'combine':
        return this.#combine(plan)
      case 'shared':
        return this.#once(plan)
      case 'chosen':
      case 'measured':
        return this.#above({ ...plan, name: this.#derived(plan.name) })
      case 'pairs':
        return this.#above({ ...plan, names: this.#ofPairs(plan.names) })
      default:
        return this.#above(plan)
    }
  }

  #ofPairs({ pairs, tree, levels, parents }: Pairs['names']): Pairs['names'] {
    return {
      pairs: this.#derived(pairs),
      tree: this.#derived(tree),
      levels: this.#derived(levels),
      parents: this.#derived(parents),
    }
  }

  /** First the inputs, in order, then the expressions, which see the last of them, then the plan's own name. */
  #above(plan: LogicalPlan): NamedPlan {
    const seen: Names[] = []
    const above = mapPlans(plan, (input) => {
      const { plan: named, names } = this.of(input)
      seen.push(names)
      return named
    })
    const names = (plan.kind === 'lookup' ? seen[0] : seen.at(-1)) ?? NONE
    const named = renamed(above, names)
    if (!('alias' in named)) return { plan: named, names }
    const isRows = named.kind === 'project' && named.rowsOf !== undefined
    return this.#under(named, isRows ? this.#names.relation(named.rowsOf) : this.#derived(named.alias))
  }

  /** The joins of a chain see the relations before them; of many, these are collected once. */
  #joined(plan: Join): NamedPlan {
    const { start, joins } = joinedRowsOf(plan)
    const first = this.of(start)
    const of = new Map(first.names.of)
    return joins.reduce<NamedPlan>((left, join) => {
      const right = this.of(join.right)
      for (const [name, unique] of right.names.of) {
        const before = of.get(name)
        of.set(name, before ? [...before, ...unique] : unique)
      }
      const names = { of, differ: left.names.differ || right.names.differ }
      return { plan: renamed({ ...join, left: left.plan, right: right.plan }, names), names }
    }, first)
  }

  #combine(plan: Combine): NamedPlan {
    const legs = plan.legs.map((leg): Leg => {
      const { plan: input, names } = this.of(leg.input)
      return { ...leg, input, name: names.of.get(leg.name)?.[0] ?? this.#derived(leg.name) }
    })
    return this.#under({ ...plan, legs }, this.#derived(plan.alias))
  }

  /** Rows that several steps read have one name, which may be that of their input. */
  #once(plan: Shared): NamedPlan {
    const known = this.#shared.find(({ of }) => isSame(of, plan))
    if (known) return known.named
    const { plan: input, names } = this.of(plan.input)
    const named = this.#under({ ...plan, input }, names.of.get(plan.alias)?.[0] ?? this.#derived(plan.alias))
    this.#shared.push({ of: plan, named })
    return named
  }

  #under<P extends LogicalPlan & { readonly alias: string }>(plan: P, alias: string): NamedPlan<P> {
    const names = { of: new Map([[plan.alias, [alias]]]), differ: alias !== plan.alias }
    return { plan: names.differ ? { ...plan, alias } : plan, names }
  }

  /** The name of rows that a step makes. */
  #derived(relation: string): string {
    return this.#names.derived(plainName(relation))
  }
}

/** The plan with the new names of its relations in its expressions. */
function renamed(plan: LogicalPlan, names: Names): LogicalPlan {
  if (!names.differ) return plan
  const nameOf = (name: string): string => {
    const unique = names.of.get(name)
    return unique ? onlyOf(unique) : name
  }
  const columnOf = (leaf: RelationColumn): RelationColumn => {
    const table = nameOf(leaf.table)
    return table === leaf.table ? leaf : { ...leaf, table }
  }
  const named = mapExpressions(plan, (expression) =>
    expression.kind === 'column' ? columnOf(expression) : mapLeaves<RelationColumn, RelationColumn>(expression, columnOf),
  )
  if (named.kind !== 'join' || named.label.role === undefined) return named
  return { ...named, label: { ...named.label, role: nameOf(named.label.role) } }
}
