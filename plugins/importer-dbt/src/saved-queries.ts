/** Saved queries → examples of the model, if they only select metrics and dimensions. */
import { type Draft, type Entry, LeftOut } from './draft.js'
import type { Part } from './part.js'

export function examplesOf(queries: readonly Part[], draft: Draft): readonly Entry[] {
  const examples: Entry[] = []
  for (const query of queries) {
    const what = `The saved query '${query.text('name') ?? ''}'`
    draft.attemptNow(what, query.place, () => {
      const example = exampleOf(query, draft)
      draft.places.push({ path: ['examples', examples.length], place: query.place })
      examples.push(example)
    })
  }
  return examples
}

function exampleOf(query: Part, draft: Draft): Entry {
  const asked = query.part('query_params')
  if (!asked) throw new LeftOut("it has no 'query_params'")
  for (const key of ['where', 'order_by', 'limit'])
    if (asked.has(key)) throw new LeftOut(`'${key}' is written in words of dbt`, asked.at(key), 'Write the query into examples.')
  const measures = asked.texts('metrics')
  const lost = measures.find((name) => !Object.hasOwn(draft.measures, name) && !Object.hasOwn(draft.metrics, name))
  if (lost !== undefined) throw new LeftOut(`'${lost}' is no measure or metric of the model`, asked.at('metrics'))
  const dimensions = asked.texts('group_by').map((text) => dimensionOf(text, asked, draft))
  const description = query.text('description')?.trim()
  return { name: query.needed('name'), ...(description && { description }), query: { select: { dimensions, measures } } }
}

function dimensionOf(text: string, asked: Part, draft: Draft): string {
  const name = /^(?:(?:Dimension|Entity)\(['"](\w+)['"]\)|(\w+))$/.exec(text)
  const dimension = name?.[1] ?? name?.[2]
  if (dimension !== undefined && Object.hasOwn(draft.dimensions, dimension)) return dimension
  throw new LeftOut(
    `${text} is no dimension of the model`,
    asked.at('group_by'),
    'Write the query into examples, with the time of each metric.',
  )
}
