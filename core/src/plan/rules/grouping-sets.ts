import { firstOf, itemAt, zip } from '../../invariant.js'
import { INT } from '../../model/data-type.js'
import { leavesOf, mapLeaves } from '../../model/expression/ast.js'
import { freeName } from '../../resolve/aliases.js'
import { binary, integer, typedNull } from '../../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../../resolve/relation-column.js'
import { includesSame, isSame } from '../../same.js'
import {
  type Aggregate,
  type LogicalPlan,
  type NamedExpr,
  type Project,
  plainAggregate,
  sameColumn,
  type Union,
} from '../logical-plan.js'
import { type Level, levelOf } from './level.js'
import { isNewKey } from './new-key.js'
import type { PlanFacts, Rule } from './rule.js'
import { inSets } from './sets.js'

/**
 * The levels of subtotals as grouping sets of one aggregation of each fact. Each level has the same rows and aggregates, by some of the keys of the first one; a row of
 * the grouping sets has NULL for the keys of other levels, and flags that say which these are. Several facts are joined by the flags, too.
 */
export const groupingSets: Rule = {
  name: 'grouping-sets',
  needs: ['groupingSets'],
  carries: true,
  rewrite: (node, facts) => (node.kind === 'union' ? inGroupingSets(node, facts) : undefined),
}

/** Whether a row is not grouped by a key, as 1 or 0 under a name. */
interface Flag {
  readonly name: string
  readonly key: string
}

function inGroupingSets(node: Union, facts: PlanFacts): LogicalPlan | undefined {
  const levels = node.inputs.flatMap((input) => levelOf(input) ?? [])
  if (levels.length < node.inputs.length) return undefined
  // The grand total has a row even over no rows, which not every engine gives for the set without keys.
  const isAlone = ({ keys }: Level): boolean => !facts.hints.emptySets && keys.length === 0
  const together = levels.filter((level) => !isAlone(level))
  const [detail] = together
  if (!detail || together.length < 2 || !together.every((level) => isPartOf(level, detail))) return undefined
  if (!facts.hints.repeatedKeys && !detail.facts.every(({ keys }) => keys.every(isNewKey))) return undefined
  const sets = oneAggregation(detail, together, facts)
  const alone = levels.filter(isAlone).map(({ answer }) => answer)
  return sets && (alone.length === 0 ? sets : { ...node, inputs: [sets, ...alone] })
}

/** Aggregates the rows of the detail level by some of its keys, fact by fact, and computes the same of them. */
const isPartOf = (level: Level, detail: Level): boolean =>
  level.keys.every((key) => includesSame(detail.keys, key)) &&
  level.facts.length === detail.facts.length &&
  zip(level.facts, detail.facts).every(([own, all]) => isSameRows(own, all)) &&
  (!level.legs || isSame(level.legs, detail.legs)) &&
  isSame(level.having?.condition, detail.having?.condition) &&
  level.stages.length === detail.stages.length &&
  zip(level.stages, detail.stages).every(([own, all]) => isSameStage(own, all, keysBeside(level, detail)))

const keysBeside = (level: Level, detail: Level): ReadonlySet<string> => {
  const own = new Set(level.keys.map(({ name }) => name))
  return new Set(detail.keys.flatMap(({ name }) => (own.has(name) ? [] : [name])))
}

/** The same rows and values for some of the groups; joins that only the other groups need, and that keep every row, may be left out. */
function isSameRows(own: Level['facts'][number], all: Level['facts'][number]): boolean {
  const isJoin = (join: (typeof own.rows.joins)[number], { rows }: typeof own): boolean =>
    rows.joins.some((other) => isSame({ ...other, left: undefined }, { ...join, left: undefined }))
  return (
    own.keys.every((key) => includesSame(all.keys, key)) &&
    isSame(own.rows.start, all.rows.start) &&
    own.rows.joins.every((join) => isJoin(join, all)) &&
    all.rows.joins.every((join) => join.type === 'left' || isJoin(join, own)) &&
    isSame(conditionsOf(own), conditionsOf(all)) &&
    isSame(own.node.aggregates, all.node.aggregates)
  )
}

const conditionsOf = ({ rows }: Level['facts'][number]): readonly RowExpr[] => rows.filters.map(({ condition }) => condition)

/** The same columns, but for keys that are passed on. */
const isSameStage = (own: Project, all: Project, missing: ReadonlySet<string>): boolean =>
  own.columns.every((column) => includesSame(all.columns, column)) &&
  all.columns.every(
    (column) => includesSame(own.columns, column) || (missing.has(column.name) && isSame(column, sameColumn(column))),
  )

/** The detail level, aggregated by the keys of each level; `undefined` if a column of the answer is none of it. */
function oneAggregation(detail: Level, levels: readonly Level[], facts: PlanFacts): LogicalPlan | undefined {
  const taken = [
    ...detail.facts.flatMap(({ node }) => [...node.keys, ...node.aggregates]),
    ...detail.stages.flatMap((s) => s.columns),
  ]
  const flags = detail.keys.map(({ name }): Flag => ({ name: freeName(`${name} (is total)`, taken), key: name }))
  const columns = detail.answer.columns.flatMap((column, at) => merged(column, at, { detail, levels, flags }) ?? [])
  if (columns.length < detail.answer.columns.length) return undefined
  const sets = levels.map(({ keys }) => keys.map(({ name }) => name))
  const rows = rowsInSets(detail, (node) => withFlags(inSets(node, sets, facts), flags), flags)
  const read = new Set(columns.flatMap(({ expression }) => leavesOf<RelationColumn>(expression)).map(({ name }) => name))
  const passed = flags.filter(({ name }) => read.has(name)).map(({ name }) => sameColumn({ name, type: INT }))
  const staged = detail.stages.reduceRight<LogicalPlan>(
    (input, stage) => ({ ...stage, input, columns: [...passed, ...stage.columns] }),
    rows,
  )
  const kept: LogicalPlan = detail.having ? { ...detail.having, input: staged } : staged
  return { ...detail.answer, input: kept, columns }
}

function withFlags(node: Aggregate, flags: readonly Flag[]): Aggregate {
  const grouping = flags.map(({ name, key }) => {
    const expression = node.keys.filter((one) => one.name === key).map((one) => one.expression)
    return plainAggregate(name, 'grouping', expression, INT)
  })
  return { ...node, aggregates: [...node.aggregates, ...grouping], reason: `${node.reason}; every level in one aggregation` }
}

function rowsInSets(
  { rows, stages, facts, keys }: Level,
  inSets: (node: Aggregate) => Aggregate,
  flags: readonly Flag[],
): LogicalPlan {
  if (rows.kind === 'combine') {
    const legs = rows.legs.map((leg, at) => ({ ...leg, input: inSets(itemAt(facts, at).node) }))
    return { ...rows, keys: [...rows.keys, ...flags.map(({ name }) => ({ name, type: INT }))], legs }
  }
  const { node } = firstOf(facts)
  const whole = inSets(node)
  if (whole.input.kind !== 'project' || stages.some(({ alias }) => alias === CLOSED)) return whole
  // Where two keys are columns of one relation with equal values, an engine may confuse them in expressions over them, but not in plain reads.
  const columns = [...keys, ...flags.map(({ name }) => ({ name, type: INT })), ...node.aggregates].map((c) => sameColumn(c))
  return { kind: 'project', input: whole, alias: CLOSED, columns, stage: true }
}

const CLOSED = 'answer_rows'

interface Merging {
  readonly detail: Level
  readonly levels: readonly Level[]
  readonly flags: readonly Flag[]
}

/** A column that is equal on all levels, or has NULL in place of the keys that a level lacks, or says whether it lacks a key. */
function merged(column: NamedExpr, at: number, { detail, levels, flags }: Merging): NamedExpr | undefined {
  const others = levels.map((level) => ({ missing: keysBeside(level, detail), own: itemAt(level.answer.columns, at) }))
  if (!others.every(({ own }) => own.name === column.name && isSame(own.type, column.type))) return undefined
  const { expression } = column
  if (others.every(({ own, missing }) => isSame(own.expression, withoutKeys(expression, missing)))) return column
  const flag = flags.find(({ key }) => others.every(({ own, missing }) => isLiteral(own.expression, missing.has(key))))
  return flag && { ...column, expression: binary('=', relationColumn('', flag.name, INT), integer(1)) }
}

const withoutKeys = (expression: RowExpr, missing: ReadonlySet<string>): RowExpr =>
  mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => (missing.has(leaf.name) ? typedNull(leaf.type) : leaf))

const isLiteral = (e: RowExpr, value: boolean): boolean => e.kind === 'literal' && e.value === value
