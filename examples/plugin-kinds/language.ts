/** Queries of three words: `Revenue by Country`. A request selects it with `"language": "by"`. */
import { definePlugin, fail, parseDataType } from '@grainline/core'
import type { Language, NamedModel } from '@grainline/core/language'

export const by: Language = {
  name: 'by',
  async read({ text, scope }) {
    const [, measure = '', dimension = ''] = /^(.+?) by (.+)$/.exec(text.trim()) ?? []
    if (measure === '') return refuse('SQL_SYNTAX_ERROR', 'A question is a measure, the word by, and a dimension', 1)
    const model = scope.chosen ?? scope.models[0]
    if (model === undefined) return refuse('NO_MODEL_SELECTED', 'There is no model to ask', 1)
    const { dimensions, measures } = model.model
    if (!measures.has(measure)) refuse('UNKNOWN_SELECT_ITEM', `'${measure}' is no measure of the model`, 1)
    if (!dimensions.has(dimension))
      refuse('UNKNOWN_SELECT_ITEM', `'${dimension}' is no dimension of the model`, measure.length + 5)
    const query = { select: { dimensions: [dimension], measures: [measure] } }
    const items = [dimension, measure].map((name) => ({ name, column: name }))
    return { kind: 'model_query', modelQuery: { model, query, preview: undefined }, items }
  },
  parameterTypes: async () => [],
  relations: async (model) => [{ suffix: '', columns: columnsOf(model) }],
}

type Model = NamedModel['model']

const columnsOf = ({ dimensions, measures }: Model) => {
  const column =
    (role: 'dimension' | 'measure') => (field: { readonly name: string; readonly resultType?: string | undefined }) => {
      const type = parseDataType(field.resultType ?? 'string')
      return { name: field.name, type: type ?? fail('MODEL_INVALID', `'${field.resultType}' is no type`), role }
    }
  return [...[...dimensions.values()].map(column('dimension')), ...[...measures.values()].map(column('measure'))]
}

function refuse(
  code: 'SQL_SYNTAX_ERROR' | 'UNKNOWN_SELECT_ITEM' | 'NO_MODEL_SELECTED',
  message: string,
  position: number,
): never {
  return fail(code, message, { path: 'sql', context: { position } })
}

export default definePlugin({
  name: '@grainline/example-language',
  host: '^0.1.0',
  setup: (host) => host.languages.register(by),
})
