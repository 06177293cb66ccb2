import { useEffect, useMemo, useState } from 'react'
import { execute } from '../api/grainline.js'
import type { Answer } from '../api/read-arrow.js'
import { isAbort, type Problem, problemOfError } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import type { Query } from '../query/query.js'
import { fewAtOnce } from './few-at-once.js'

const AT_ONCE = 4
const inTurn = fewAtOnce(AT_ONCE)

interface Found {
  readonly answer?: Answer
  readonly problem?: Problem
}

interface Asked {
  readonly model: ModelRef
  /** `undefined`: nothing is asked yet. */
  readonly query: Query | undefined
  /** Another number asks again. */
  readonly attempt: number
}

/** The answer of a query of a tile. The last one stays until the next one is there. */
export function useAnswer({ model, query, attempt }: Asked): Found {
  const [found, setFound] = useState<Found>({})
  const text = query === undefined ? undefined : JSON.stringify(query)
  const asked = useMemo((): Query | undefined => (text === undefined ? undefined : JSON.parse(text)), [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt asks again.
  useEffect(() => {
    if (asked === undefined) return setFound({})
    const controller = new AbortController()
    const { signal } = controller
    inTurn(async () => (signal.aborted ? undefined : execute({ model, query: asked, signal })))
      .then((answer) => answer && setFound({ answer }))
      .catch((error: unknown) => isAbort(error) || setFound({ problem: problemOfError(error) }))
    return () => controller.abort()
  }, [model, asked, attempt])
  return found
}
