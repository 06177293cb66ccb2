import type { CallOptions } from '../api/api.js'
import type { World } from '../world.js'

/** One call, and the way back to who made it. */
export interface Call extends CallOptions {
  /** Says how far it is, where the caller asked to know. */
  readonly progress: (message: string) => void
}

export interface Answer {
  readonly text: string
  readonly structured?: Record<string, unknown>
}

export interface Tool<Arguments> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Properties of a JSON Schema object, and those that must be given. */
  readonly input: Readonly<Record<string, object>>
  readonly required?: readonly (keyof Arguments & string)[]
  readonly annotations: Readonly<Record<string, boolean>>
  readonly run: (given: Arguments, world: World, call: Call) => Promise<Answer>
}

export const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

export const MODEL = { model: { type: 'string', description: 'Needed only if there are several models' } }
/** Where another tool says so already, the name is enough. */
export const ITS_MODEL = { model: { type: 'string' } }
export const strings = { type: 'array', items: { type: 'string' } }
export const integer = (maximum: number) => ({ type: 'integer', minimum: 1, maximum })
