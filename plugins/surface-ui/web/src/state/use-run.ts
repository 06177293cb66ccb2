import { useCallback, useRef, useState } from 'react'
import { execute } from '../api/grainline.js'
import type { Answer } from '../api/read-arrow.js'
import { isAbort, type Problem, problemOfError } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import type { Query } from '../query/query.js'

export interface Run {
  readonly running: boolean
  /** The last answer, with its query. */
  readonly answered: { readonly query: Query; readonly model: ModelRef; readonly answer: Answer } | undefined
  readonly problem: Problem | undefined
  /** Cancels the running query, also in the database, and runs this one. */
  start(model: ModelRef, query: Query): void
  cancel(): void
  forget(): void
}

export function useRun(onAnswer: (model: ModelRef, query: Query, answer: Answer) => void): Run {
  const [running, setRunning] = useState(false)
  const [answered, setAnswered] = useState<Run['answered']>()
  const [problem, setProblem] = useState<Problem>()
  const current = useRef<AbortController>(undefined)
  const told = useRef(onAnswer)
  told.current = onAnswer

  const cancel = useCallback(() => {
    current.current?.abort()
    current.current = undefined
    setRunning(false)
  }, [])
  const start = useCallback((model: ModelRef, query: Query) => {
    current.current?.abort()
    const controller = new AbortController()
    current.current = controller
    setRunning(true)
    setProblem(undefined)
    const settle = (then: () => void) => {
      if (current.current !== controller) return
      current.current = undefined
      setRunning(false)
      then()
    }
    execute({ model, query, signal: controller.signal })
      .then((answer) =>
        settle(() => {
          setAnswered({ query, model, answer })
          told.current(model, query, answer)
        }),
      )
      .catch((error: unknown) => settle(() => !isAbort(error) && setProblem(problemOfError(error))))
  }, [])
  const forget = useCallback(() => {
    cancel()
    setAnswered(undefined)
    setProblem(undefined)
  }, [cancel])
  return { running, answered, problem, start, cancel, forget }
}
