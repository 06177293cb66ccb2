import { useEffect, useState } from 'react'
import { composables, readExample, readExamples } from '../api/grainline.js'
import type { ModelRef, Schema } from '../api/types.js'
import { startMeasure, startQuestions } from '../model/start-questions.js'
import { queryOf } from '../query/own-measures.js'
import type { Query } from '../query/query.js'
import { titleOf } from '../query/title-of.js'

/** A question to begin with. */
export interface Start {
  readonly title: string
  readonly description: string | null
  /** One of the model, and not made by the page. */
  readonly isExample: boolean
  readonly load: () => Promise<Query>
}

/** The examples of the model, and some questions made from it; `undefined` until they are known. */
export function useStarts(model: ModelRef | undefined, schema: Schema | undefined): readonly Start[] | undefined {
  const [found, setFound] = useState<{ readonly of: Schema; readonly starts: readonly Start[] }>()
  useEffect(() => {
    if (model === undefined || schema === undefined) return
    let isGone = false
    Promise.all([examplesOf(model), madeFrom(model, schema)])
      .then(([examples, made]) => isGone || setFound({ of: schema, starts: [...examples, ...made] }))
      .catch(() => isGone || setFound({ of: schema, starts: [] }))
    return () => {
      isGone = true
    }
  }, [model, schema])
  return found?.of === schema ? found?.starts : undefined
}

async function examplesOf(model: ModelRef): Promise<readonly Start[]> {
  const examples = await readExamples(model).catch(() => [])
  return examples.map(({ name, description }) => ({
    title: name,
    description,
    isExample: true,
    load: async () => {
      const { query } = await readExample(model, name)
      return queryOf(query) ?? query
    },
  }))
}

async function madeFrom(model: ModelRef, schema: Schema): Promise<readonly Start[]> {
  const measure = startMeasure(schema)
  if (measure === undefined) return []
  const { dimensions } = await composables(model, { select: { measures: [measure] } })
  return startQuestions(schema, new Set(dimensions)).map((query) => ({
    title: titleOf(query),
    description: 'Made from the model',
    isExample: false,
    load: async () => query,
  }))
}
