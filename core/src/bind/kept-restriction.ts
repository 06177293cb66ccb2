/** What policies leave of an object, kept for the view of a principal: most questions to a view are bound to the same rows. */
import type { Column, SemanticModel } from '../model/semantic-model.js'
import type { StoredColumn } from '../model/stored-column.js'
import { isSame } from '../same.js'
import type { BindContext } from './bind-context.js'
import type { BoundRestriction } from './bound-block.js'

/** How a column was stored when it was read. */
interface Stored {
  readonly object: string
  readonly column: Column
  readonly as: StoredColumn | undefined
}

interface Kept extends Pick<BindContext, 'functions' | 'aggregates' | 'rules'> {
  readonly stored: readonly Stored[]
  readonly restriction: BoundRestriction | undefined
}

const KEPT = new WeakMap<SemanticModel, Map<string, Kept>>()

/** What a kept restriction must have in common with the question. */
type Reads = Pick<BindContext, 'model' | 'functions' | 'aggregates' | 'rules' | 'storedAs'>

/**
 * `bind` is asked only if nothing is kept of the object, or for other catalogues or rules, or if a column that it read is stored otherwise now. It binds in
 * a context that notes what is read. What read the present or a column over other rows is not kept: it is part of its question.
 */
export function keptRestriction(
  object: string,
  reads: Reads,
  bind: (noted: (context: BindContext) => BindContext) => BoundRestriction | undefined,
): BoundRestriction | undefined {
  const known = KEPT.get(reads.model) ?? new Map<string, Kept>()
  KEPT.set(reads.model, known)
  const found = known.get(object)
  if (found && counts(found, reads)) return found.restriction
  const { noted, stored, isOwn } = notes()
  const restriction = bind(noted)
  const { functions, aggregates, rules } = reads
  if (!isOwn()) known.set(object, { functions, aggregates, rules, stored, restriction })
  return restriction
}

/** Every column is asked for again, because the storage reports those whose declaration it believed. */
const counts = (kept: Kept, { functions, aggregates, rules, storedAs }: Reads): boolean =>
  kept.functions === functions &&
  kept.aggregates === aggregates &&
  kept.rules?.without === rules?.without &&
  kept.stored.every(({ object, column, as }) => isSame(storedAs(object, column), as))

/** What is read of a context that another question may have otherwise. */
function notes() {
  const stored: Stored[] = []
  let isOwn = false
  const own = <T>(value: T): T => {
    isOwn = true
    return value
  }
  const noted = (context: BindContext): BindContext => {
    const { measuredQueries, time, storedAs } = context
    const clock = {
      ...time.clock,
      get wall() {
        return own(time.clock.wall)
      },
    }
    return {
      ...context,
      time: { ...time, clock },
      storedAs(object, column) {
        const as = storedAs(object, column)
        stored.push({ object, column, as })
        return as
      },
      measuredQueries: {
        column: (...of) => own(measuredQueries.column(...of)),
        closure: (...of) => own(measuredQueries.closure(...of)),
        check: (...of) => own(measuredQueries.check(...of)),
      },
    }
  }
  return { noted, stored, isOwn: () => isOwn }
}
