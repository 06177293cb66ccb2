/** A question that principals share whose values of access rules differ: compiled once, with a place for each value in its text. */
import { randomUUID } from 'node:crypto'
import { compile } from '../compile.js'
import { fail } from '../errors.js'
import { itemAt } from '../invariant.js'
import type { Parameter } from '../model/expression/ast.js'
import type { ParameterValues } from '../model/parameter.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'
import type { CompiledQuery } from '../sql/compiled-query.js'
import type { Dialect } from '../sql/dialect.js'
import { heldValueText } from '../sql/held-text.js'
import type { CompileContext } from './compile-context.js'

/** No text of a model or a query contains it, because nobody knows it. */
const MARK = `\u0001${randomUUID()}:`
const END = '\u0001'

/** The text between the values, and the values between these. */
interface Parts {
  readonly texts: readonly string[]
  readonly values: readonly Parameter[]
}

const PARTS = new WeakMap<CompiledQuery, Parts>()

/** Compiles for everybody who has this view. It has no text; `withHeldValues` gives one. */
export function compileShared(query: QueryObject, view: SemanticModel, context: CompileContext): CompiledQuery {
  const places: Parameter[] = []
  const placeOf = (value: Parameter): string => `${MARK}${places.push(value) - 1}${END}`
  const compiled = compile(query, view, { ...context, placeOf })
  const [first = '', ...others] = compiled.sql.split(MARK)
  const found = others.map((text) => {
    const end = text.indexOf(END)
    return { value: itemAt(places, Number(text.slice(0, end))), text: text.slice(end + 1) }
  })
  const shared = { ...compiled, sql: [first, ...found.map(({ text }) => text)].join(' ') }
  PARTS.set(shared, { texts: [first, ...found.map(({ text }) => text)], values: found.map(({ value }) => value) })
  return shared
}

/** The statement of a principal with these values. */
export function withHeldValues(shared: CompiledQuery, held: ParameterValues, dialect: Dialect): CompiledQuery {
  const parts = PARTS.get(shared)
  if (!parts) return fail('INTERNAL_ERROR', 'the statement has no places for values')
  const { texts, values } = parts
  const written = values.map((value, at) => heldValueText(value, held, dialect) + itemAt(texts, at + 1))
  return { ...shared, sql: itemAt(texts, 0) + written.join('') }
}
