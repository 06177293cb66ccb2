import type { Answerer } from './answer.js'
import { type ProbeContext, probe } from './probe.js'

/** Answers small questions about the connection itself, and leaves the rest to `others`. */
export function withProbes(context: ProbeContext, others: Answerer): Answerer {
  return {
    async describe(statement, types, signal) {
      const stream = probe(statement, context)
      return stream ? { parameters: [], fields: stream.fields } : others.describe(statement, types, signal)
    },
    async open(statement, bound, formats, signal) {
      return probe(statement, context) ?? others.open(statement, bound, formats, signal)
    },
  }
}
