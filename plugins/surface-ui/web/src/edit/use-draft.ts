import { useCallback, useEffect, useMemo, useState } from 'react'
import { readLanguage, readSource, validate } from '../api/grainline.js'
import { isAbort, type Problem, problemOfError } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import { forgetDraft, readDraft, writeDraft } from '../state/kept.js'
import { type LanguageClient, startLanguage } from './language-client.js'
import type { PlacedDiagnostic } from './language-service.js'

export interface Draft {
  /** The text on the server; `undefined` until it is read. */
  readonly source: string | undefined
  readonly text: string
  readonly language: LanguageClient | undefined
  readonly diagnostics: readonly PlacedDiagnostic[]
  readonly checking: boolean
  readonly problem: Problem | undefined
  edit(text: string): void
  reset(): void
  forget(): void
}

/** The pause in typing before the text is checked, in milliseconds. */
const PAUSE = 300

/** The text of a model while it is edited. The server validates it exactly as when it is loaded. */
export function useDraft(model: ModelRef): Draft {
  const [source, setSource] = useState<string>()
  const [text, setText] = useState('')
  const [language, setLanguage] = useState<LanguageClient>()
  const [checked, setChecked] = useState<{ readonly text: string; readonly diagnostics: Draft['diagnostics'] }>()
  const [problem, setProblem] = useState<Problem>()

  useEffect(() => {
    let left = false
    let started: LanguageClient | undefined
    const read = async () => {
      const [loaded, known] = await Promise.all([readSource(model), readLanguage()])
      if (left) return
      started = startLanguage(known)
      setSource(loaded)
      setLanguage(started)
      setText(readDraft(model.name) ?? loaded)
    }
    read().catch((error: unknown) => setProblem(problemOfError(error)))
    return () => {
      left = true
      started?.close()
    }
  }, [model])

  useEffect(() => {
    if (language === undefined) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      validate(text, controller.signal)
        .then((findings) => language.ask('diagnostics', text, findings))
        .then((diagnostics) => diagnostics && setChecked({ text, diagnostics }))
        .catch((error: unknown) => isAbort(error) || setProblem(problemOfError(error)))
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, language])

  const keeping = useKeeping(model.name)
  const edit = useCallback(
    (next: string) => {
      setText(next)
      keeping.later(next)
    },
    [keeping],
  )
  const reset = useCallback(() => {
    keeping.forget()
    setText(source ?? '')
  }, [keeping, source])
  const { forget } = keeping
  const checking = checked?.text !== text
  return { source, text, language, diagnostics: checking ? NONE : checked.diagnostics, checking, problem, edit, reset, forget }
}

const NONE: Draft['diagnostics'] = []

interface Keeping {
  later(text: string): void
  forget(): void
}

/** A draft is saved when the user pauses or leaves. Saving a large one at each key would slow down typing. */
function useKeeping(name: string): Keeping {
  const keeping = useMemo(() => {
    let waiting: { readonly text: string; readonly timer: ReturnType<typeof setTimeout> } | undefined
    const drop = () => {
      clearTimeout(waiting?.timer)
      waiting = undefined
    }
    const now = () => {
      if (waiting !== undefined) writeDraft(name, waiting.text)
      drop()
    }
    return {
      now,
      later: (text: string) => {
        drop()
        waiting = { text, timer: setTimeout(now, PAUSE) }
      },
      forget: () => {
        drop()
        forgetDraft(name)
      },
    }
  }, [name])
  useEffect(() => {
    addEventListener('pagehide', keeping.now)
    return () => {
      removeEventListener('pagehide', keeping.now)
      keeping.now()
    }
  }, [keeping])
  return keeping
}
