import { Type } from '@grainline/core'
import { ErrorDetail, nullable, StructuredWarning, strict, strings } from './common.js'

const exampleModel = `dataObjects:\n  Sales:\n    code: sales\n    columns:\n      Region: { code: region, abstractType: string }\n      Amount: { code: amount, abstractType: float }\ndimensions:\n  Region: { dataObject: Sales, column: Region }\nmeasures:\n  Revenue: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }] }\n`

const document = {
  model_yaml: Type.Optional(nullable(Type.String({ description: 'The model as YAML; at most 5,000,000 characters.' }))),
  model_json: Type.Optional(
    Type.Unsafe<unknown>({ type: ['object', 'string', 'null'], description: 'The model as an object, or as a string of JSON.' }),
  ),
  format: Type.Optional(
    nullable(
      Type.String({
        description: 'The name of the importer of a plugin that reads the text, if it is in the format of another product.',
      }),
    ),
  ),
  extends: Type.Optional(nullable(Type.Array(Type.String(), { description: 'Inline YAML fragments to merge.' }))),
  inherits: Type.Optional(nullable(Type.String({ description: 'Id of a parent model in the same session.' }))),
}

export const ModelLoad = strict(
  { ...document, dedup: Type.Optional(Type.Boolean({ default: true })) },
  { title: 'ModelLoadRequest', examples: [{ model_yaml: exampleModel }] },
)
export const ModelValidate = strict(document, { title: 'ValidateRequest', examples: [{ model_yaml: exampleModel }] })

export const ValidateResult = Type.Object(
  { valid: Type.Boolean(), errors: Type.Array(ErrorDetail), warnings: Type.Array(ErrorDetail) },
  { title: 'ValidateResponse' },
)

const counts = { data_objects: Type.Integer(), dimensions: Type.Integer(), measures: Type.Integer(), metrics: Type.Integer() }

export const ModelHealth = Type.Object(
  {
    status: Type.Unsafe<'ok' | 'warnings'>({ type: 'string', enum: ['ok', 'warnings'] }),
    data_objects: Type.Integer(),
    joins: Type.Integer(),
    orphan_data_objects: strings,
    fan_trap_risks: Type.Array(Type.Object({ tables: strings, reason: Type.String(), suggested_pattern: Type.String() })),
    unreachable_dimensions: strings,
    warnings_count: Type.Integer(),
    verification: Type.Optional(
      Type.Object(
        { checked_at: Type.String(), status: Type.String(), findings: Type.Integer() },
        { description: 'The result of the last POST …/verify of this model.' },
      ),
    ),
  },
  { title: 'ModelHealth' },
)

export const ModelLoaded = Type.Object(
  {
    model_id: Type.String(),
    name: Type.Optional(Type.String()),
    ...counts,
    warnings: Type.Array(StructuredWarning),
    model_load: Type.Unsafe<'fresh' | 'reused'>({ type: 'string', enum: ['fresh', 'reused'] }),
    health: nullable(ModelHealth),
  },
  { title: 'ModelLoadResponse' },
)

export const ModelSummary = Type.Object(
  { model_id: Type.String(), name: Type.Optional(Type.String()), ...counts },
  { title: 'ModelSummary' },
)

export const PublishedModels = Type.Object(
  {
    models: Type.Array(
      Type.Object({
        name: Type.String(),
        session_id: Type.String(),
        model_id: Type.String(),
        description: Type.Optional(Type.String()),
        ...counts,
      }),
    ),
    count: Type.Integer(),
  },
  { title: 'PublishedModels' },
)
