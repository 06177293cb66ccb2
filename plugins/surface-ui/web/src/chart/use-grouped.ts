import { useEffect, useMemo, useState } from 'react'
import { execute } from '../api/grainline.js'
import type { Answer } from '../api/read-arrow.js'
import { isAbort } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import { type Query, topOf } from '../query/query.js'
import { shapeOf } from './chart-kind.js'
import type { ChartLook } from './chart-look.js'
import { chartQuery } from './chart-query.js'

interface Asked {
  readonly model: ModelRef
  readonly query: Query
  readonly answer: Answer
  readonly look: ChartLook
}

interface Grouped {
  readonly query: Query
  readonly answer: Answer
  /** What the query draws, as a sentence. */
  readonly note: string
}

/** The largest groups with all others as one, where the answer has too many or is not whole. If the server refuses it, the answer is drawn. */
export function useGrouped({ model, query, answer, look }: Asked) {
  const { x, measures, ungrouped } = look
  const asked = useMemo(() => {
    if (ungrouped === true) return undefined
    const shape = shapeOf(answer.columns, { ...(x !== undefined && { x }), ...(measures && { measures }) })
    return chartQuery(query, answer, shape)
  }, [query, answer, x, measures, ungrouped])
  const [found, setFound] = useState<{ readonly query: Query; readonly answer: Answer | undefined }>()
  useEffect(() => {
    if (asked === undefined) return
    const controller = new AbortController()
    execute({ model, query: asked, signal: controller.signal })
      .then((read) => setFound({ query: asked, answer: read.truncated ? undefined : read }))
      .catch((error: unknown) => isAbort(error) || setFound({ query: asked, answer: undefined }))
    return () => controller.abort()
  }, [model, asked])
  const current = asked !== undefined && found?.query === asked ? found : undefined
  const grouped: Grouped | undefined = current?.answer && {
    query: current.query,
    answer: current.answer,
    note: noteOf(current.query),
  }
  return { grouped, isAsking: asked !== undefined && current === undefined }
}

function noteOf(query: Query): string {
  const top = topOf(query)
  return top === undefined
    ? ''
    : `The ${top.n} values of ${top.dimension} with the largest ${top.by} are drawn; all others are one group, which the server computed.`
}
