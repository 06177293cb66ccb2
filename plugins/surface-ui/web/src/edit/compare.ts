import { closeSession, diffModels, execute, loadModel, type ModelChange, openSession } from '../api/grainline.js'
import type { ModelRef } from '../api/types.js'
import { formatterFor, shownValue } from '../results/format-value.js'

export interface Compared {
  readonly changes: readonly ModelChange[]
  /** Fields and examples whose numbers a change may move. */
  readonly touched: readonly string[]
  /** The grand total of each measure that is touched and that both models have. */
  readonly moves: readonly Move[]
}

export interface Move {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** More than a person reads, and than a database should be asked at once. */
const MOST_MOVES = 20

/** What a draft changes, and by how much the totals move: in a session of its own, which ends with it. */
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

/** Those that one of the models does not have, or cannot answer without a dimension, have no total. */
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
