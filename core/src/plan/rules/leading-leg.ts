import { isNotNull } from '../../resolve/expressions.js'
import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import type { Combine, Leg, LogicalPlan, Project } from '../logical-plan.js'
import { ANYTHING, canBeTrue, known, NULL, type Possible, possible } from '../possible-values.js'

/** The possible values of the columns of a plan. */
type Columns = (column: Pick<RelationColumn, 'name'>) => Possible
/** Whether a row with these columns can be kept. */
type Kept = (columns: Columns) => boolean

const ALWAYS: Kept = () => true

/** The position of the leg that has every row which is kept: the only one that makes rows, or one without which no row meets the conditions above. */
export function leadingLeg({ legs }: Combine, kept: Kept = ALWAYS): number | undefined {
  const making = legs.filter((leg) => leg.contributesRows)
  const leading = making.length === 1 ? making[0] : making.find((leg) => !kept(without(leg)))
  return leading && legs.indexOf(leading)
}

function without({ values }: Leg): Columns {
  const found = new Map(values.map(({ name, emptyIsZero }) => [name, emptyIsZero ? known(0) : NULL]))
  return ({ name }) => found.get(name) ?? ANYTHING
}

/**
 * The node with the combined facts below it changed, of which it keeps only some rows. Between them are only computations of a row from itself and from what is looked up
 * for it: another node may read rows that are not kept.
 */
export function mapKeptFacts(node: LogicalPlan, change: (facts: Combine, kept: Kept) => LogicalPlan | undefined): LogicalPlan {
  if (node.kind === 'filter') return below(node, (columns) => canBeTrue(node.condition, columns))
  const counted = node.kind === 'aggregate' && node.keys.length === 0 ? countedBy(node.aggregates) : undefined
  return counted ? below(node, (columns) => canBeTrue(isNotNull(counted), columns)) : node

  function below(plan: LogicalPlan, kept: Kept): LogicalPlan {
    if (!('input' in plan)) return plan
    const input = inside(plan.input, kept)
    return input === plan.input ? plan : { ...plan, input }
  }

  function inside(plan: LogicalPlan, kept: Kept): LogicalPlan {
    switch (plan.kind) {
      case 'combine':
        return change(plan, kept) ?? plan
      case 'filter':
        return below(plan, (columns) => kept(columns) && canBeTrue(plan.condition, columns))
      case 'project':
        return below(plan, (columns) => kept(computed(plan, columns)))
      case 'lookup':
        return below(plan, (columns) => kept((column) => (isOf(plan.values, column) ? ANYTHING : columns(column))))
      case 'sort':
        return below(plan, kept)
      default:
        return plan
    }
  }
}

/** What the only aggregate of all rows reads, if rows in which it is NULL change nothing. */
function countedBy(aggregates: readonly { readonly args: readonly RowExpr[]; readonly onlyWith?: RowExpr | undefined }[]) {
  const [call, ...more] = aggregates
  const [arg, ...others] = call?.args ?? []
  return more.length === 0 && others.length === 0 && !call?.onlyWith ? arg : undefined
}

const isOf = (values: Leg['values'], { name }: { readonly name: string }): boolean => values.some((value) => value.name === name)

/** The columns of a projection, each computed once. */
function computed({ columns: all }: Project, below: Columns): Columns {
  const found = new Map<string, Possible>()
  return ({ name }) => {
    const column = all.find((one) => one.name === name)
    const value = found.get(name) ?? (column ? possible(column.expression, below) : ANYTHING)
    found.set(name, value)
    return value
  }
}
