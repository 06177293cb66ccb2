import { type DataType, formatDataType, parseModelSync, type SemanticModel } from '@grainline/core/compiler'
import type { Field, Finding, Model } from './model.js'
import { keepSemanticModel } from './semantic-models.js'

/** A model, or the reasons why there is none. */
export interface ReadModel {
  /** Absent if there are errors. */
  readonly model?: Model
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

export interface ReadOptions {
  /** Texts of fragments that are merged into the model. */
  readonly extends?: readonly string[]
}

/** Reads a model: its text in YAML or JSON, or the parsed document. Never throws for what the document contains. */
export function readModel(source: string | object, options: ReadOptions = {}): ReadModel {
  const given = typeof source === 'string' ? { text: source } : { json: source }
  const { model, errors, warnings } = parseModelSync({ ...given, ...(options.extends && { extends: options.extends }) })
  return { ...(model !== undefined && { model: shown(model) }), errors, warnings }
}

function shown(model: SemanticModel): Model {
  const { name, contentHash } = model
  const result: Model = { name, contentHash, fields: fieldsOf(model) }
  keepSemanticModel(result, model)
  return result
}

function fieldsOf({ dimensions, measures, metrics }: SemanticModel): Field[] {
  return [
    ...[...dimensions.values()].map((each) => fieldOf('dimension', each, each.type)),
    ...[...measures.values()].filter(({ hidden }) => !hidden).map((each) => fieldOf('measure', each, each.dataType)),
    ...[...metrics.values()].filter(({ hidden }) => !hidden).map((each) => fieldOf('metric', each, each.dataType)),
  ]
}

type Described = Pick<Field, 'name' | 'description'>

const fieldOf = (kind: Field['kind'], { name, description }: Described, type: DataType | undefined): Field => ({
  name,
  kind,
  type: type && formatDataType(type),
  description,
})
