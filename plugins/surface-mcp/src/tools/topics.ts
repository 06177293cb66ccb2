/** The views of a model as topics: an agent asks one by the names that its readers use. */
import type { ModelView, Schema } from '../api/shapes.js'
import { type AnyField, fieldsOf } from './fields.js'

export const topicNamed = (name: string, { views }: Schema): ModelView | undefined =>
  views.find((view) => view.name === name) ?? views.find((view) => view.name.toLowerCase() === name.toLowerCase())

export const noTopic = (name: string, { views }: Schema): string =>
  views.length === 0 ? 'This model has no topics.' : `No topic '${name}'; topics: ${views.map((view) => view.name).join(', ')}`

/** The fields of a topic under their names there, in its order. */
export function fieldsIn({ fields }: ModelView, all: readonly AnyField[]): readonly AnyField[] {
  const byName = new Map(all.map((field) => [field.name, field]))
  return fields.flatMap(({ name, field }) => {
    const found = byName.get(field)
    return found ? [{ ...found, name }] : []
  })
}

/** The field that some topic shows under this name. */
export const fieldOfTopic = (name: string, schema: Schema): AnyField | undefined =>
  schema.views.flatMap((view) => fieldsIn(view, fieldsOf(schema))).find((field) => field.name === name)

/** What the model calls a field of the topic. */
export const modelNameOf = (name: string, topic: ModelView | undefined): string =>
  topic?.fields.find((one) => one.name === name)?.field ?? name

/** How the topic is asked, or which topics there are. */
export function topicsIn({ views }: Schema, topic: ModelView | undefined): readonly string[] {
  if (topic) return [`query with more.view ${JSON.stringify(topic.name)}`]
  const named = views.map(({ name, description }) => (description === undefined ? name : `${name} (${description.trim()})`))
  return named.length === 0 ? [] : [`topics: ${named.join(', ')}`]
}
