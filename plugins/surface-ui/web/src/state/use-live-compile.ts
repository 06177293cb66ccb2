import { useEffect, useState } from 'react'
import { compile, composables } from '../api/grainline.js'
import { isAbort, type Problem, problemOfError } from '../api/request.js'
import type { Compiled, Composables, ModelRef } from '../api/types.js'
import { isEmpty, type Query } from '../query/query.js'

export interface LiveCompile {
  /** By the requested dialect; the empty name is the model's own. */
  readonly compiled: ReadonlyMap<string, Compiled>
  readonly problems: ReadonlyMap<string, Problem>
  /** The fields that can be added; `undefined` until they are known. */
  readonly addable: Composables | undefined
  readonly working: boolean
}

const NOTHING: LiveCompile = { compiled: new Map(), problems: new Map(), addable: undefined, working: false }
const PAUSE_MS = 180

/** Compiles the query and finds compatible fields whenever it changes. Results remain until newer ones arrive. */
export function useLiveCompile(model: ModelRef | undefined, query: Query, dialects: readonly string[]): LiveCompile {
  const [state, setState] = useState(NOTHING)
  const [text, asked] = [JSON.stringify(query), dialects.join('\n')]
  useEffect(() => {
    if (model === undefined) return
    const controller = new AbortController()
    const parsed: Query = JSON.parse(text)
    setState((now) => ({ ...now, working: true }))
    const timer = setTimeout(() => {
      work(model, parsed, { dialects: asked.split('\n'), signal: controller.signal })
        .then(setState)
        .catch((error: unknown) => isAbort(error) || setState(NOTHING))
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [model, text, asked])
  return state
}

async function work(
  model: ModelRef,
  query: Query,
  { dialects, signal }: { readonly dialects: readonly string[]; readonly signal: AbortSignal },
): Promise<LiveCompile> {
  const compiled = new Map<string, Compiled>()
  const problems = new Map<string, Problem>()
  const compileFor = async (dialect: string) => {
    try {
      compiled.set(dialect, await compile({ model, query, signal, ...(dialect !== '' && { dialect }) }))
    } catch (error) {
      problems.set(dialect, rethrowAbort(error, problemOfError(error)))
    }
  }
  const asked = isEmpty(query) ? [] : [...new Set(['', ...dialects])]
  const [addable] = await Promise.all([
    composables(model, query, signal).catch((error: unknown) => rethrowAbort(error, undefined)),
    ...asked.map(compileFor),
  ])
  return { compiled, problems, addable, working: false }
}

function rethrowAbort<T>(error: unknown, otherwise: T): T {
  if (isAbort(error)) throw error
  return otherwise
}
