/** Parts of a query of the model that examples of other formats have in common. */
import type { Entry } from './draft.js'

/** A condition as a query has it: one comparison with a constant as people write it, and an expression for the rest. */
export function conditionEntry(expression: string): Entry {
  const [, field, op, text, number] = COMPARISON.exec(expression) ?? []
  if (field === undefined || op === undefined) return { expression }
  const value = text === undefined ? Number(number) : text.replaceAll("''", "'")
  return { field, op: op === '<>' ? '!=' : op, value }
}

const COMPARISON = /^\(\{\[([^\]]+)\]\} (=|<>|<|<=|>|>=) (?:(?:DATE |TIMESTAMP )?'((?:[^']|'')*)'|(-?\d{1,15}(?:\.\d{1,15})?))\)$/
