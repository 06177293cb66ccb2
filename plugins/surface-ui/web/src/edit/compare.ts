import { closeSession, diffModels, execute, loadModel, type ModelChange, openSession } from '../api/grainline.js'
import type { ModelRef } from '../api/types.js'
import { formatterFor, shownValue } from '../results/format-value.js'

export interface Compared {
  readonly changes: readonly ModelChange[]
  /** Fields and examples whose numbers a change may affect. */
  readonly touched: readonly string[]
  /** The grand total of each affected measure that both models have. */
  readonly moves: readonly Move[]
}

export interface Move {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** Maximum number of totals: more are not readable, and too many queries at once. */
const MOST_MOVES = 20

/** The changes of a draft and of the totals. They are computed in a separate session, which is closed afterwards. */
export async function compareWith(model: ModelRef, draft: string, canRun: boolean): Promise<Compared> {
  const session = await openSession()
  try {
    const after = await loadModel(session, draft)
    const { changes, touched } = await diffModels(model, after)
    const measured = [...touched.measures, ...touched.metrics]
    const moves = canRun ? await totalsOf(measured.slice(0, MOST_MOVES), model, after) : []
    return { changes, touched: [...touched.dimensions, ...measured, ...touched.examples, ...touched.tests], moves }
  } finally {
    await closeSession(session).catch(() => undefined)
  }
}

/** Measures that one model does not have, or that need a dimension, have no total. */
async function totalsOf(names: readonly string[], before: ModelRef, after: ModelRef): Promise<Move[]> {
  const moves: Move[] = []
  for (const name of names) {
    const [was, is] = await Promise.all([before, after].map((model) => totalOf(name, model)))
    if (was !== undefined && is !== undefined) moves.push({ name, before: was, after: is })
  }
  return moves
}

async function totalOf(name: string, model: ModelRef): Promise<string | undefined> {
  try {
    const { columns, timezone } = await execute({ model, query: { select: { measures: [name] } } })
    const [column] = columns
    return column && (shownValue(column, 0, formatterFor(column, { locale: navigator.language, timezone })) ?? 'none')
  } catch {
    return undefined
  }
}
