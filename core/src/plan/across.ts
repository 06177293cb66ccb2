import { allOf, binary } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { ResolvedDimension } from '../resolve/resolved-query.js'
import type { AcrossRequest, BlockRequest } from './block-request.js'
import type { LogicalPlan } from './logical-plan.js'
import type { PlannedLeg } from './planned.js'
import type { Rows } from './rows.js'
import type { RowsContext } from './rows-context.js'

/** The rows at which an expression over several facts is evaluated: the facts' sums, beside the row of the object where they meet. */
export interface AcrossRows {
  readonly plan: LogicalPlan
  /** The column that joins the home's own row; it is NULL where there is none. */
  readonly linkedBy: string
  readonly on: (home: Rows) => RowExpr
  /** A dimension that the facts bring. */
  readonly dimension: (dimension: ResolvedDimension) => RelationColumn | undefined
}

/** The legs of a block over several facts, each summed by the key of the home and the dimensions that the facts bring. */
export function acrossLegs(
  { own, facts, dimensions }: AcrossRequest,
  context: RowsContext,
  plan: (request: BlockRequest, context: RowsContext, alias: string) => LogicalPlan,
): PlannedLeg[] {
  return [...(dimensions.length === 0 ? [own] : []), ...facts].map((request): PlannedLeg => {
    const name = context.aliases.derived(request.home, request.atoms.length > 0 ? '_sums' : '_keys')
    const values = request.atoms.map((a) => ({ name: a.name, type: a.type, emptyIsZero: false }))
    return { input: plan(request, context, name), name, present: true, values, home: request.home }
  })
}

/** The legs combined by the home's key and by `dimensions`; rows that have no home meet in one of their own. */
export function acrossRows(
  { keys }: AcrossRequest,
  home: string,
  dimensions: readonly ResolvedDimension[],
  legs: readonly PlannedLeg[],
  context: RowsContext,
): AcrossRows {
  const alias = context.aliases.derived(home, '_facts')
  const named = ({ name, type }: ResolvedDimension) => ({ name, type })
  const column = ({ name, type }: ResolvedDimension): RelationColumn => relationColumn(alias, name, type)
  const columnNames = keys.map((key) => (key.members[0]!.expression as { readonly column: string }).column)
  return {
    plan: {
      kind: 'combine',
      alias,
      keys: [...keys, ...dimensions].map(named),
      legs,
      reason: `the facts meet at the rows of '${home}', each summed there first`,
    },
    linkedBy: columnNames[0]!,
    on: (rows) => allOf(keys.map((key, i) => binary('=', rows.column(rows.root, columnNames[i]!), column(key))))!,
    dimension: (d) => (dimensions.some((own) => own.name === d.name) ? column(d) : undefined),
  }
}

/** The rows with the home's own row beside each. */
export function besideHome({ plan, on }: AcrossRows, home: Rows, scan: LogicalPlan): LogicalPlan {
  const { object } = home.root
  const label = { from: 'the facts', to: object, columns: [], reason: 'the row where the facts meet, or none' }
  return { kind: 'join', type: 'left', left: plan, right: scan, on: on(home), label }
}
