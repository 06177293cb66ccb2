import { entryOf, firstOf, onlyOf } from '../invariant.js'
import { mapLeaves } from '../model/expression/ast.js'
import { Aliases } from '../resolve/aliases.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { isSame } from '../same.js'
import type { Combine, Leg, LogicalPlan, Shared } from './logical-plan.js'
import { mapExpressions, mapPlans } from './map-plans.js'

/**
 * The plan with a name for each relation that no other has in the whole statement. Until here a name means the relation that an expression sees:
 * one of those that its node reads. `tables` are names that only scans may have.
 */
export function uniquelyNamed(plan: LogicalPlan, tables: readonly string[]): LogicalPlan {
  return new Naming(tables).of(plan).plan
}

/** What relations are called in the statement, by their name in the plan: nothing can read those that share one. */
type Names = ReadonlyMap<string, readonly string[]>

interface Named<P extends LogicalPlan = LogicalPlan> {
  readonly plan: P
  /** The relations that what stands on the plan can read. */
  readonly names: Names
}

class Naming {
  readonly #names: Aliases
  readonly #shared: { readonly of: Shared; readonly named: Named }[] = []

  constructor(tables: readonly string[]) {
    this.#names = new Aliases(tables)
  }

  of(plan: LogicalPlan): Named {
    switch (plan.kind) {
      case 'scan':
        return this.#under(plan, this.#names.relation(plan.object))
      case 'combine':
        return this.#combine(plan)
      case 'shared':
        return this.#once(plan)
      case 'chosen':
        return this.#above({ ...plan, name: this.#derived(plan.name) })
      default:
        return this.#above(plan)
    }
  }

  /** First the inputs, in order, then the expressions, which see them, then the plan's own name. */
  #above(plan: LogicalPlan): Named {
    const seen: Names[] = []
    const above = mapPlans(plan, (input) => {
      const { plan: named, names } = this.of(input)
      seen.push(names)
      return named
    })
    const names = plan.kind === 'lookup' ? firstOf(seen) : together(seen)
    const named = renamed(above, names)
    return 'alias' in named ? this.#under(named, this.#derived(named.alias)) : { plan: named, names }
  }

  #combine(plan: Combine): Named {
    const legs = plan.legs.map((leg): Leg => {
      const { plan: input, names } = this.of(leg.input)
      return { ...leg, input, name: names.get(leg.name)?.[0] ?? this.#derived(leg.name) }
    })
    return this.#under({ ...plan, legs }, this.#derived(plan.alias))
  }

  /** Rows that several steps read have one name, which may be that of what makes them. */
  #once(plan: Shared): Named {
    const known = this.#shared.find(({ of }) => isSame(of, plan))
    if (known) return known.named
    const { plan: input, names } = this.of(plan.input)
    const named = this.#under({ ...plan, input }, names.get(plan.alias)?.[0] ?? this.#derived(plan.alias))
    this.#shared.push({ of: plan, named })
    return named
  }

  #under<P extends LogicalPlan & { readonly alias: string }>(plan: P, alias: string): Named<P> {
    return { plan: alias === plan.alias ? plan : { ...plan, alias }, names: new Map([[plan.alias, [alias]]]) }
  }

  /** A name within a block may end in a number already, which tells it apart there. */
  #derived(name: string): string {
    return this.#names.derived(name.replace(/_\d+$/, ''))
  }
}

function together(all: readonly Names[]): Names {
  const [only, ...others] = all
  if (only && others.length === 0) return only
  const names = new Map<string, readonly string[]>()
  for (const [name, unique] of all.flatMap((some) => [...some])) names.set(name, [...(names.get(name) ?? []), ...unique])
  return names
}

/** The plan with the names of what it reads in its expressions. */
function renamed(plan: LogicalPlan, names: Names): LogicalPlan {
  if ([...names].every(([name, unique]) => unique.length === 1 && unique[0] === name)) return plan
  const nameOf = (name: string): string => (names.has(name) ? onlyOf(entryOf(names, name)) : name)
  const named = mapExpressions(plan, (expression) =>
    mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => {
      const table = nameOf(leaf.table)
      return table === leaf.table ? leaf : { ...leaf, table }
    }),
  )
  if (named.kind !== 'join' || named.label.role === undefined) return named
  return { ...named, label: { ...named.label, role: nameOf(named.label.role) } }
}
