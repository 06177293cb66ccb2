import type { SemanticModel } from '../model/semantic-model.js'

/** What a catalogue says about the column of a field: its description, its other names, and how far it may be relied on. */
export function commentOf(model: SemanticModel, name: string): string | undefined {
  const field = model.dimensions.get(name) ?? model.measures.get(name) ?? model.metrics.get(name)
  if (field === undefined) return undefined
  const { description, synonyms, status, use } = field
  const parts = [
    ...(description === undefined ? [] : [description]),
    ...(synonyms.length === 0 ? [] : [`Also: ${synonyms.join(', ')}.`]),
    ...(status === undefined ? [] : [`Status: ${status}${use === undefined ? '' : `, use ${use}`}.`]),
  ]
  return parts.length === 0 ? undefined : parts.join(' ')
}
