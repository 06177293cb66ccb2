import { modelSchema } from './document.js'
import type { AggregateSpec, FunctionSpec } from './functions/function-spec.js'
import { TIME_GRAINS } from './grain.js'
import { operatorSpellings } from './operators.js'

/** The description of the model language for an editor. Plain data, so that it can be sent. */
export interface ModelLanguage {
  /** JSON Schema of a document. */
  readonly schema: object
  readonly functions: readonly LanguageFunction[]
  readonly aggregations: readonly LanguageFunction[]
  readonly operators: readonly string[]
  readonly grains: readonly string[]
}

export interface LanguageFunction {
  readonly name: string
  /** Minimum and maximum number of arguments; `null` for any number. */
  readonly arity: readonly [least: number, most: number | null]
  /** One sentence. */
  readonly meaning: string
}

interface Catalogue {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
}

export function modelLanguage({ functions, aggregates }: Catalogue): ModelLanguage {
  return {
    schema: modelSchema,
    functions: [...functions.values()].filter((spec) => spec.internal !== true).map(plain),
    aggregations: [...aggregates.values()].map(plain),
    operators: operatorSpellings(),
    grains: TIME_GRAINS,
  }
}

const plain = ({ name, arity: [least, most], meaning }: FunctionSpec | AggregateSpec): LanguageFunction => ({
  name,
  arity: [least, Number.isFinite(most) ? most : null],
  meaning,
})
