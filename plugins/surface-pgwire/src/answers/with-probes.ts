import type { SelectStatement } from '../statements/statement.js'
import { OID } from '../types/pg-type.js'
import { readParameter } from '../types/read-parameter.js'
import type { Answerer, Bound } from './answer.js'
import { type ProbeContext, probe } from './probe.js'

/** Answers small queries about the connection, and passes all others to `others`. */
export function withProbes(context: ProbeContext, others: Answerer): Answerer {
  return {
    async describe(statement, types, signal) {
      const stream = probe(statement, context, undefined)
      return stream ? { parameters: typesOf(statement, types), fields: stream.fields } : others.describe(statement, types, signal)
    },
    async open(statement, bound, formats, signal) {
      return probe(statement, context, textsOf(statement, bound)) ?? others.open(statement, bound, formats, signal)
    },
  }
}

/** Undeclared parameters are text. */
const typesOf = ({ parameters }: SelectStatement, declared: readonly number[]): number[] =>
  Array.from({ length: parameters }, (_, index) => declared[index] || OID.text)

const textsOf = (statement: SelectStatement, { types, values, valueFormats }: Bound): (string | null)[] => {
  const known = typesOf(statement, types)
  return values.map((value, index) => value && readParameter(value, known[index] ?? OID.text, valueFormats[index] ?? 0))
}
