import { useCallback, useEffect, useState } from 'react'
import { isSamePerson } from '../access/identity.js'
import { startAnew } from '../access/start-anew.js'
import { loadModel, openSession, publishedModels, readDialects, readSchema, readSettings } from '../api/grainline.js'
import { ApiError, isAbort, type Problem, problemOfError } from '../api/request.js'
import type { ModelRef, Schema, Settings } from '../api/types.js'
import { readOwnSession, readSourceOf, writeOwnSession, writeSourceOf } from './kept.js'

export interface Models {
  readonly settings: Settings | undefined
  readonly dialects: readonly string[]
  readonly models: readonly ModelRef[]
  readonly model: ModelRef | undefined
  readonly schema: Schema | undefined
  readonly problem: Problem | undefined
  choose(model: ModelRef): void
  /** Loads a model document into a session of this tab, and shows it. Throws `ApiError`. */
  open(yaml: string): Promise<void>
  /** Loads a model of this tab again after its session has expired. */
  revive(model: ModelRef): void
  /** Tries again after the server did not answer. */
  retry(): void
}

/** The models and the shown one. `wanted` is the model in the address. */
export function useModels(wanted: string | undefined): Models {
  const [settings, setSettings] = useState<Settings>()
  const [dialects, setDialects] = useState<readonly string[]>([])
  const [models, setModels] = useState<readonly ModelRef[]>([])
  const [model, choose] = useState<ModelRef>()
  const [read, setRead] = useState<{ readonly of: ModelRef; readonly schema: Schema }>()
  const [problem, setProblem] = useState<Problem>()
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first address counts; an attempt starts again.
  useEffect(() => {
    const start = async () => {
      const [known, names, published] = await Promise.all([readSettings(), readDialects(), publishedModels()])
      if (!isSamePerson(known.principal)) return startAnew()
      const all = [...published, ...(readOwnSession()?.models ?? [])]
      setSettings(known)
      setDialects(names)
      setModels(all)
      setProblem(undefined)
      choose((now) => now ?? all.find((each) => keyOf(each) === wanted) ?? all[0])
    }
    start().catch((error: unknown) => setProblem(problemOfError(error)))
  }, [attempt])

  useEffect(() => {
    if (model === undefined) return
    const controller = new AbortController()
    readSchema(model, controller.signal)
      .then((schema) => {
        setRead({ of: model, schema })
        setProblem(undefined)
      })
      .catch((error: unknown) => isAbort(error) || setProblem(problemOfError(error)))
    return () => controller.abort()
  }, [model])

  const open = useCallback(async (yaml: string) => {
    const loaded = await loadIntoOwn(yaml)
    setModels((all) => [...all.filter((each) => keyOf(each) !== keyOf(loaded)), loaded])
    choose(loaded)
  }, [])
  const revive = useCallback((gone: ModelRef) => {
    const yaml = readSourceOf(gone.model)
    if (yaml === undefined) return
    loadIntoOwn(yaml)
      .then((loaded) => {
        setModels((all) => all.map((each) => (keyOf(each) === keyOf(gone) ? loaded : each)))
        choose((now) => (now && keyOf(now) === keyOf(gone) ? loaded : now))
      })
      .catch((error: unknown) => setProblem(problemOfError(error)))
  }, [])
  // The fields of another model are not those of the chosen one.
  const schema = read?.of === model ? read?.schema : undefined
  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  return { settings, dialects, models, model, schema, problem, choose, open, revive, retry }
}

/** The name of a model in the address. */
export const keyOf = ({ own, session, model }: ModelRef): string => (own ? `${session}/${model}` : session)

/** Into the session of this tab, or into a new one if it has expired. */
async function loadIntoOwn(yaml: string): Promise<ModelRef> {
  const own = readOwnSession()
  const held = own && (await loadModel(own.session, yaml).catch(unlessGone))
  const loaded = held ?? (await loadModel(await openSession(), yaml))
  writeSourceOf(loaded.model, yaml)
  const others = own?.session === loaded.session ? own.models.filter((each) => each.model !== loaded.model) : []
  writeOwnSession({ session: loaded.session, models: [...others, loaded] })
  return loaded
}

function unlessGone(error: unknown): undefined {
  if (error instanceof ApiError && error.problem.code === 'SESSION_NOT_FOUND') return undefined
  throw error
}
