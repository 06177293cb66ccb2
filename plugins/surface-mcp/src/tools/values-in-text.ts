import { refusalText } from '../answer/refused.js'
import { valuesMeantIn } from '../answer/values-named-in.js'
import { ApiError } from '../api/api-error.js'
import type { Target, World } from '../world.js'
import { type AnyField, typeOf } from './fields.js'
import type { Call } from './tool.js'

/** Dimensions with more values than this are left out: their values are names, keys and comments, and a word proves nothing. */
const LOOKED_AT = 1000
/** The number of dimensions whose values are read, and how many at once. */
const MOST_READ = 32
const AT_ONCE = 4
const SHOWN = 3

export interface Looked {
  readonly target: Target
  readonly world: World
  /** By the name that the model has for it, which a topic may change. */
  readonly modelName: (name: string) => string
}

/** `Airline = "Delta Air Lines Inc."` for each dimension of texts that has values with words of the text, the best dimension first. */
export async function valuesInText(text: string, fields: readonly AnyField[], looked: Looked, call: Call): Promise<string[]> {
  const texts = fields.filter((field) => field.kind === 'dimension' && typeOf(field) === 'string').slice(0, MOST_READ)
  const lines: string[] = []
  try {
    for (let at = 0; at < texts.length; at += AT_ONCE) {
      const some = texts.slice(at, at + AT_ONCE)
      const found = await Promise.all(some.map(({ name }) => allValues(looked.modelName(name), looked, call)))
      for (const [place, values] of found.entries()) {
        const meant = valuesMeantIn(text, values).slice(0, SHOWN)
        if (meant.length > 0) lines.push(`${some[place]?.name} = ${meant.map((value) => JSON.stringify(value)).join(', ')}`)
      }
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.refusal.code !== 'EXECUTION_DISABLED') lines.push(`values not read: ${refusalText(error)}`)
  }
  return lines
}

interface Values {
  readonly values: readonly { readonly value: unknown }[]
  readonly truncated: boolean
}

/** None if there are too many. */
async function allValues(name: string, { target, world }: Looked, call: Call): Promise<string[]> {
  const query = { ...target, limit: LOOKED_AT }
  const { values, truncated } = await world.api.get<Values>(`/v1/values/${encodeURIComponent(name)}`, query, call)
  return truncated ? [] : values.flatMap(({ value }) => (value === null ? [] : [String(value)]))
}
