import { strings, type Tool } from './tool.js'

interface Arguments {
  readonly model_yaml: string
  readonly inherits?: string
  readonly extends?: readonly string[]
}
interface Loaded {
  readonly model_id: string
  readonly dimensions: number
  readonly measures: number
  readonly metrics: number
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

/** Loads a model into a new session, so that published models and those of other callers stay unchanged. */
export const loadModel: Tool<Arguments> = {
  name: 'load_model',
  title: 'Load a model',
  description: 'Load a model text for your own use. Returns the handle to pass as model.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: {
    model_yaml: { type: 'string' },
    inherits: { type: 'string', description: 'Handle of a loaded model' },
    extends: strings,
  },
  required: ['model_yaml'],
  run: async ({ model_yaml, inherits, extends: fragments }, { api, memory }, call) => {
    const [session, parent] = (inherits ?? memory?.model ?? '').split('/')
    const session_id = parent ? session! : (await api.post<{ readonly session_id: string }>('/v1/sessions', {}, call)).session_id
    const body = { model_yaml, ...(inherits && { inherits: parent }), ...(fragments && { extends: fragments }) }
    const loaded = await api.post<Loaded>(`/v1/sessions/${encodeURIComponent(session_id)}/models`, body, call)
    const handle = `${session_id}/${loaded.model_id}`
    if (memory) memory.model = handle
    const { dimensions, measures, metrics, warnings } = loaded
    const notes = warnings.map(({ code, message }) => `warning ${code}: ${message}`)
    return {
      text: [`model="${handle}": ${dimensions} dimensions, ${measures} measures, ${metrics} metrics`, ...notes].join('\n'),
    }
  },
}
