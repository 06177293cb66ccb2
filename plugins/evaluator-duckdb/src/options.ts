import { type Static, Type } from '@grainline/core'

export const optionsSchema = Type.Object(
  {
    memoryLimit: Type.Optional(Type.String({ description: 'Memory of all evaluations together.', default: '256MB' })),
    threads: Type.Optional(Type.Integer({ minimum: 1, description: 'Threads of all evaluations together.', default: 1 })),
    maxRows: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Rows of one leaf, and of one answer, at most.', default: 1_000_000 }),
    ),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, description: 'Milliseconds of one evaluation.', default: 30_000 })),
    concurrency: Type.Optional(Type.Integer({ minimum: 1, description: 'Evaluations at one time; others wait.', default: 4 })),
  },
  { additionalProperties: false },
)

export type EvaluatorOptions = Static<typeof optionsSchema>
export type Bounds = Required<EvaluatorOptions>

export const boundsOf = (options: EvaluatorOptions): Bounds => ({
  memoryLimit: '256MB',
  threads: 1,
  maxRows: 1_000_000,
  timeoutMs: 30_000,
  concurrency: 4,
  ...options,
})
