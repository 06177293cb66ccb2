import { useEffect, useState } from 'react'
import { type FactRows, rowsBehind } from '../api/grainline.js'
import { isAbort, type Problem, problemOfError } from '../api/request.js'
import type { LookedInto } from './looked-into.js'

interface WithColumns {
  readonly fact: FactRows
  readonly problem: Problem | undefined
}

/** The rows with the columns that a person chose; those of the server until these are there, or if none is chosen. */
export function useChosenColumns(fact: FactRows, looked: LookedInto, columns: readonly string[]): WithColumns {
  const [read, setRead] = useState<WithColumns>({ fact, problem: undefined })
  useEffect(() => {
    setRead({ fact, problem: undefined })
    if (columns.length === 0) return
    const controller = new AbortController()
    rowsBehind({ ...looked, measure: fact.measure, columns, signal: controller.signal })
      .then(({ facts: [chosen = fact] }) => setRead({ fact: chosen, problem: undefined }))
      .catch((error: unknown) => isAbort(error) || setRead({ fact, problem: problemOfError(error) }))
    return () => controller.abort()
  }, [fact, looked, columns])
  return read
}
