import { type Static, Type } from '@grainline/core'
import { availableMemory } from '@grainline/core/vendor'

export const optionsSchema = Type.Object(
  {
    memoryLimit: Type.Optional(
      Type.String({
        description:
          'Memory of all evaluations together. Unset: 256 MiB, and at most an eighth of the machine or container, of which the process may take three times as much.',
      }),
    ),
    threads: Type.Optional(Type.Integer({ minimum: 1, description: 'Threads of all evaluations together.', default: 1 })),
    maxRows: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Rows of one model query, and of one answer, at most.', default: 1_000_000 }),
    ),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, description: 'Milliseconds of one evaluation.', default: 30_000 })),
    concurrency: Type.Optional(Type.Integer({ minimum: 1, description: 'Evaluations at one time; others wait.', default: 4 })),
  },
  { additionalProperties: false },
)

export type EvaluatorOptions = Static<typeof optionsSchema>
export type Bounds = Required<EvaluatorOptions>

export const boundsOf = (options: EvaluatorOptions): Bounds => ({
  memoryLimit: defaultLimit(availableMemory()),
  threads: 1,
  maxRows: 1_000_000,
  timeoutMs: 30_000,
  concurrency: 4,
  ...options,
})

/** The process can briefly use three times as much; in a container of 1 GB the server needs most of the memory. */
export const defaultLimit = (all: number): string => `${Math.max(64, Math.min(256, Math.floor(all / 8 / 2 ** 20)))}MiB`
