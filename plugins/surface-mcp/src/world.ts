import type { Limits } from './answer/fitting-rows.js'
import type { Api, CallOptions } from './api/api.js'
import { ApiError } from './api/api-error.js'

/** The environment of the tools of one caller. */
export interface World {
  readonly api: Api
  readonly limits: Limits
  /** Present if all calls come from one caller. Over HTTP every call is independent and names its model. */
  readonly memory?: Memory
}
export interface Memory {
  /** The handle of the last loaded model. */
  model?: string
}

/** The model in a request to `/v1`. */
export type Target = { readonly model: string } | { readonly session_id: string; readonly model_id: string }

/** A handle is the name of a published model, or `session/model` for a loaded one. */
export function targetOf(handle: string): Target {
  const [session_id, model_id] = handle.split('/')
  return session_id && model_id ? { session_id, model_id } : { model: handle }
}

/** The model of a call, the last loaded one, or the only published one. Throws an error with their names if several are published. */
export async function chosenModel(handle: string | undefined, { api, memory }: World, options: CallOptions): Promise<Target> {
  const known = handle ?? memory?.model
  if (known !== undefined) return targetOf(known)
  const { models } = await api.get<{ readonly models: readonly { readonly name: string }[] }>('/v1/models', {}, options)
  const [only, ...others] = models
  if (only !== undefined && others.length === 0) return { model: only.name }
  throw only === undefined ? noModel() : severalModels(models.map(({ name }) => name))
}

const noModel = () =>
  new ApiError({
    code: 'NO_MODEL_SELECTED',
    message: 'No model is published here',
    hint: 'Publish one; or load one with load_model, which MCP_TOOLSETS=ask,authoring offers, and pass the handle that it returns as model.',
  })

const severalModels = (names: readonly string[]) =>
  new ApiError({
    code: 'NO_MODEL_SELECTED',
    message: 'Several models are published',
    hint: `Pass model: one of ${names.join(', ')}.`,
    choices: { argument: 'model', values: names },
  })
