import { madeOf } from '../../relation/relation.js'
import { relationColumn } from '../../resolve/relation-column.js'
import { isSame } from '../../same.js'
import { baseOf } from '../base.js'
import {
  type LogicalPlan,
  type Lookup,
  type NamedAggregate,
  type NamedWindow,
  plainAggregate,
  type Shared,
  sameColumn,
  type Window,
} from '../logical-plan.js'
import { chainOf, isByOwnKeys, lookedUpFor } from '../lookup-chain.js'
import type { Rule } from './rule.js'
import { sharedGroups } from './shared-groups.js'

/**
 * Windows of groups that share some keys, as an aggregation of the groups by these keys, looked up for each group: an aggregate of a partition is the same in both.
 * The groups are computed once, and fewer rows are sorted. A total of all groups needs no keys, so that a window is as fast, and the simpler statement.
 */
export const groupTotals: Rule = {
  name: 'group-totals',
  needs: ['keepsTables', 'hashJoins'],
  rewrite(node) {
    if (node.kind !== 'lookup' && node.kind !== 'window') return undefined
    const { rows, lookups } = chainOf(node)
    return rows.kind === 'window' ? withTotals(rows, lookups) : undefined
  },
}

/** Totals with the same keys. */
interface TotalsByKeys {
  readonly keys: readonly NamedWindow['partitionBy'][number][]
  readonly totals: readonly NamedWindow[]
}

function withTotals(window: Window, lookups: readonly Lookup[]): LogicalPlan | undefined {
  const totals = byKeys(window.calls.filter(isOfGroups))
  if (totals.length === 0) return undefined
  const shared = sharedGroups(window.input)
  const others = window.calls.filter((call) => !isOfGroups(call))
  const rows: LogicalPlan = others.length === 0 ? shared : { ...window, input: shared, calls: others }
  const alias = madeOf(baseOf(window.input), '_coarser')
  const isBeside = (lookup: Lookup, { keys }: TotalsByKeys): boolean =>
    isOfShared(lookup, shared) &&
    isByOwnKeys(lookup) &&
    isSame(
      lookup.keys.map(({ own }) => own),
      keys,
    )
  const beside = lookups.map((lookup) =>
    totals.filter((one) => isBeside(lookup, one)).reduce((all, one) => withMore(all, one, shared), lookup),
  )
  const added = totals
    .filter((one) => !lookups.some((lookup) => isBeside(lookup, one)))
    .map((one) => ofTotals(one, shared, alias))
  const place = lookups.findLastIndex((lookup) => isOfShared(lookup, shared)) + 1
  return lookedUpFor(rows, beside.toSpliced(place, 0, ...added.map((lookup) => ({ ...lookup, input: rows }))))
}

const FOLDS: ReadonlySet<string> = new Set(['sum', 'min', 'max', 'bool_and', 'bool_or'])

/** An aggregate of the groups that share some keys, without an order. */
const isOfGroups = ({ function: called, args, partitionBy, orderBy, frame, where }: NamedWindow): boolean =>
  FOLDS.has(called) &&
  partitionBy.length > 0 &&
  [...args, ...partitionBy].every((e) => e.kind === 'column' && e.table === '') &&
  orderBy.length === 0 &&
  frame === undefined &&
  where === undefined

/** The totals that one aggregation of the groups computes. */
function byKeys(totals: readonly NamedWindow[]): readonly TotalsByKeys[] {
  const firsts = totals.filter((total, at) => at === totals.findIndex((other) => hasSameKeys(other, total)))
  return firsts.map((first) => ({ keys: first.partitionBy, totals: totals.filter((total) => hasSameKeys(total, first)) }))
}

const hasSameKeys = (a: NamedWindow, b: NamedWindow): boolean => isSame(a.partitionBy, b.partitionBy)

const isOfShared = ({ from }: Lookup, { alias }: Shared): boolean =>
  from.kind === 'aggregate' && from.input.kind === 'shared' && from.input.alias === alias

/** The lookup of an aggregation of the groups, with totals by the same keys. */
function withMore(lookup: Lookup, { totals }: TotalsByKeys, groups: Shared): Lookup {
  const { from } = lookup
  if (from.kind !== 'aggregate') return lookup
  const aggregates = [...from.aggregates, ...aggregatesOf(totals, groups)]
  return { ...lookup, from: { ...from, aggregates }, values: [...lookup.values, ...valuesOf(totals)] }
}

const valuesOf = (totals: readonly NamedWindow[]): Lookup['values'] =>
  totals.map(({ name, type }) => ({ name, type, emptyIsZero: false }))

const aggregatesOf = (totals: readonly NamedWindow[], { alias }: Shared): readonly NamedAggregate[] =>
  totals.map(({ name, type, function: called, args }) =>
    plainAggregate(
      name,
      called,
      args.map((arg) => (arg.kind === 'column' ? { ...arg, table: alias } : arg)),
      type,
    ),
  )

/** The totals, looked up for each group by its keys, of which NULLs are equal. */
function ofTotals({ keys, totals }: TotalsByKeys, groups: Shared, alias: string): Lookup {
  const columns = keys.flatMap((key) => (key.kind === 'column' ? [key] : []))
  return {
    kind: 'lookup',
    alias: 'answer_rows',
    input: groups,
    from: {
      kind: 'aggregate',
      input: groups,
      alias,
      keys: columns.map((key) => sameColumn(key, groups.alias)),
      aggregates: aggregatesOf(totals, groups),
      reason: 'totals of the groups',
    },
    keys: columns.map(({ name, type }) => ({ own: relationColumn('', name, type), theirs: name, type, nullSafe: true })),
    values: valuesOf(totals),
    reason: 'totals of the groups, on every row that shares their keys',
  }
}
