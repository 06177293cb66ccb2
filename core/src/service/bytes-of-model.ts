import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SemanticModel } from '../model/semantic-model.js'

/**
 * Measured on models of many kinds: the memory of a node of the document, of a character and of an expression node, including all derived
 * data.
 */
const PER_NODE = 160
const PER_CHARACTER = 2
const PER_EXPRESSION_CHARACTER = 12
const NODES_PER_TURN = 5_000

/** Estimated memory of a loaded model; a large one is counted in several turns. */
export async function bytesOfModel({ document }: SemanticModel, source: string): Promise<number> {
  let bytes = source.length * PER_CHARACTER
  let nodes = 0
  const ahead: unknown[] = [document]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    bytes += PER_NODE
    if (++nodes % NODES_PER_TURN === 0) await nextTurn()
    if (typeof next !== 'object' || next === null) continue
    const { expression } = next as { readonly expression?: unknown }
    if (typeof expression === 'string') bytes += expression.length * PER_EXPRESSION_CHARACTER
    for (const value of Object.values(next)) if (value !== undefined) ahead.push(value)
  }
  return bytes
}
