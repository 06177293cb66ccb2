import { ApiError } from '../api/api-error.js'
import { targetOf } from '../world.js'
import type { Tool } from './tool.js'

export const removeModel: Tool<{ readonly model: string }> = {
  name: 'remove_model',
  title: 'Remove a model',
  description: 'Remove a model that load_model loaded.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: { model: { type: 'string' } },
  required: ['model'],
  run: async ({ model }, { api, memory }, call) => {
    const target = targetOf(model)
    if ('model' in target) throw published(model)
    const { session_id, model_id } = target
    await api.remove(`/v1/sessions/${encodeURIComponent(session_id)}/models/${encodeURIComponent(model_id)}`, call)
    if (memory?.model === model) delete memory.model
    return { text: 'removed' }
  },
}

const published = (model: string) =>
  new ApiError({
    code: 'MODEL_NOT_FOUND',
    message: `'${model}' is not a handle of load_model`,
    hint: 'Published models cannot be removed.',
  })
