import { itemAt } from '../invariant.js'
import { asOfOf } from '../model/join-term.js'
import { engineJoin } from './engine-as-of.js'
import { inputsOf, mapPlans, withInputs } from './inputs.js'
import type { LogicalPlan, Project } from './logical-plan.js'
import { numberedJoin } from './numbered-rows.js'
import { namedColumns, readingOf, withColumns } from './renamed-columns.js'
import {
  columnsRead,
  isSpineStep,
  type JoinOfSpine,
  planOfSpine,
  type ReadSpine,
  relationsOf,
  spineOf,
  type TypeOf,
} from './spine.js'

/**
 * The plan with other joins in place of those that find a row by its time: by numbers that both sides have, or those of an engine that knows them. Rows that a join
 * chooses among become a separate relation. Expressions above read the columns of the relations that are made.
 */
export function withoutAsOf(plan: LogicalPlan, typeOf: TypeOf): LogicalPlan {
  if (isSpineStep(plan)) return mapPlans(plan, (input) => withoutAsOf(input, typeOf))
  const inputs = inputsOf(plan)
  const changed = inputs.reduce<LogicalPlan>((node, _, at) => {
    const input = itemAt(inputsOf(node), at)
    if (!isSpineStep(input)) return node
    const read = { spine: spineOf(input), reader: node }
    const { spine, reader } = found(read, typeOf)
    return spine === read.spine ? node : withInput(reader, at, planOfSpine(spine))
  }, plan)
  return mapPlans(changed, (input) => withoutAsOf(input, typeOf))
}

/** The lowest join first, until none is left. */
function found(read: ReadSpine, typeOf: TypeOf): ReadSpine {
  const { start, steps } = read.spine
  const at = steps.findIndex((step) => step.kind === 'join' && (asOfOf(step.on) !== undefined || isChosen(step.right)))
  const join = steps[at]
  if (join?.kind !== 'join') return read
  const one = { join, below: { start, steps: steps.slice(0, at) }, above: steps.slice(at + 1), reader: read.reader }
  const closed = isSpineStep(join.right) ? enclosed(one) : one
  const term = asOfOf(closed.join.on)
  if (!term) return found(whole(closed), typeOf)
  return found(closed.join.byEngine ? engineJoin(closed, term, typeOf) : numberedJoin(closed, term, typeOf), typeOf)
}

/** Joined rows that are filtered, or found by their time, before they are joined. */
const isChosen = (right: LogicalPlan): boolean =>
  isSpineStep(right) &&
  spineOf(right).steps.some((step) => step.kind !== 'join' || asOfOf(step.on) !== undefined || isChosen(step.right))

const whole = ({ join, below, above, reader }: JoinOfSpine): ReadSpine => ({
  spine: { start: below.start, steps: [...below.steps, join, ...above] },
  reader,
})

/** The joined rows as one relation, of the columns that are read. */
function enclosed({ join, below, above, reader }: JoinOfSpine): JoinOfSpine {
  const others = new Set([
    ...relationsOf(planOfSpine(below)),
    ...above.flatMap((step) => (step.kind === 'join' ? relationsOf(step.right) : [])),
  ])
  const own = new Set(relationsOf(join.right).filter((relation) => !others.has(relation)))
  const read = columnsRead([join, ...above, reader]).filter(({ table }) => own.has(table))
  const columns = namedColumns(read, [])
  const alias = itemAt(relationsOf(spineOf(join.right).start), 0)
  const right: Project = { kind: 'project', input: join.right, alias, columns, stage: true }
  const change = readingOf(alias, columns)
  return {
    join: withColumns({ ...join, right }, change),
    below,
    above: above.map((step) => withColumns(step, change)),
    reader: withColumns(reader, change),
  }
}

const withInput = (plan: LogicalPlan, at: number, input: LogicalPlan): LogicalPlan =>
  withInputs(
    plan,
    inputsOf(plan).map((own, i) => (i === at ? input : own)),
  )
