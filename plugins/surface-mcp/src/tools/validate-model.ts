import { findingText } from '../answer/refused.js'
import type { Finding } from '../api/api-error.js'
import { READS, type Tool } from './tool.js'

interface Validated {
  readonly valid: boolean
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

export const validateModel: Tool<{ readonly model_yaml: string }> = {
  name: 'validate_model',
  title: 'Check a model',
  description: 'Check a model text without loading it. The format: grainline://reference/model-format.',
  annotations: READS,
  input: { model_yaml: { type: 'string' } },
  required: ['model_yaml'],
  run: async (given, { api }, call) => {
    const { valid, errors, warnings } = await api.post<Validated>('/v1/validate', given, call)
    const lines = [...errors.map(findingText), ...warnings.map((warning) => `warning ${findingText(warning)}`)]
    return { text: [valid ? 'valid' : 'not valid', ...lines].join('\n') }
  },
}
