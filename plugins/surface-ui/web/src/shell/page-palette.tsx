import { useMemo } from 'react'
import type { ModelRef, Schema } from '../api/types.js'
import { fieldsOf } from '../model/fields.js'
import { has, type Query, toggle } from '../query/query.js'
import { titleOf } from '../query/title-of.js'
import type { Asked } from '../state/kept.js'
import { keyOf } from '../state/use-models.js'
import { type Command, Palette } from './palette.js'

interface Props {
  readonly schema: Schema | undefined
  readonly query: Query
  readonly models: readonly ModelRef[]
  readonly history: readonly Asked[]
  /** The actions of the page, with the labels of its buttons. */
  readonly actions: readonly Command[]
  readonly onChange: (query: Query) => void
  readonly onQuery: (query: Query) => void
  readonly onModel: (model: ModelRef) => void
  readonly onClose: () => void
}

/** The current commands of the page: fields, actions, earlier queries, models. */
export default function PagePalette({ onClose, ...page }: Props) {
  const { schema, query, models, history, actions, onChange, onQuery, onModel } = page
  const commands = useMemo((): readonly Command[] => {
    const fields = schema === undefined ? [] : fieldsOf(schema)
    return [
      ...actions,
      ...fields.map((field) => ({
        title: field.name,
        kind: has(query, field.kind, field.name) ? `take the ${field.kind} away` : `add the ${field.kind}`,
        act: () => onChange(toggle(query, field.kind, field.name)),
      })),
      ...history.map((asked) => ({ title: titleOf(asked.query), kind: 'ask again', act: () => onQuery(asked.query) })),
      ...models.map((model) => ({ title: `${model.name}, ${keyOf(model)}`, kind: 'open the model', act: () => onModel(model) })),
    ]
  }, [schema, query, models, history, actions, onChange, onQuery, onModel])
  return <Palette commands={commands} onClose={onClose} />
}
