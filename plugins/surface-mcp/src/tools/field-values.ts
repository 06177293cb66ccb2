import { chosenModel } from '../world.js'
import { integer, MODEL, READS, type Tool } from './tool.js'

interface Arguments {
  readonly field: string
  readonly contains?: string
  readonly limit?: number
  readonly model?: string
}
interface Values {
  readonly values: readonly { readonly value: unknown }[]
  readonly truncated: boolean
}
const LIMIT = 50

export const fieldValues: Tool<Arguments> = {
  name: 'field_values',
  title: 'Values of a field',
  description: 'Values of a dimension as filters have to write them.',
  annotations: READS,
  input: { field: { type: 'string' }, contains: { type: 'string' }, limit: integer(200), ...MODEL },
  required: ['field'],
  run: async ({ field, contains, limit = LIMIT, model }, world, call) => {
    const target = await chosenModel(model, world, call)
    const query = { ...target, search: contains, limit }
    const { values, truncated } = await world.api.get<Values>(`/v1/values/${encodeURIComponent(field)}`, query, call)
    if (values.length === 0)
      return { text: contains ? `No value of ${field} contains "${contains}".` : `${field} has no values.` }
    const lines = values.map(({ value }) => (value === null ? 'NULL (op is_null)' : String(value)))
    return { text: [...lines, ...(truncated ? ['… more; narrow them with contains'] : [])].join('\n') }
  },
}
