import type { CallOptions } from '../api/api.js'
import type { World } from '../world.js'

/** A call of a tool, with a channel for progress. */
export interface Call extends CallOptions {
  /** Reports progress, if the caller requested it. */
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
  /** The properties of a JSON Schema object; `required` names the mandatory ones. */
  readonly input: Readonly<Record<string, object>>
  readonly required?: readonly (keyof Arguments & string)[]
  readonly annotations: Readonly<Record<string, boolean>>
  readonly run: (given: Arguments, world: World, call: Call) => Promise<Answer>
}

export const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

/** Needed only if there are several models, which a call without it says. */
export const MODEL = { model: { type: 'string' } }
export const strings = { type: 'array', items: { type: 'string' } }
export const integer = (maximum: number) => ({ type: 'integer', minimum: 1, maximum })
