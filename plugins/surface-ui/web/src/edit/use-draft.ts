import { type Diagnostic, diagnosticsOf, type Language, readModelText } from '@grainline/language'
import { useCallback, useEffect, useState } from 'react'
import { readLanguage, readSource, validate } from '../api/grainline.js'
import { isAbort, type Problem, problemOfError } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import { forgetDraft, readDraft, writeDraft } from '../state/kept.js'

export interface Draft {
  /** What the server holds; `undefined` until it is read. */
  readonly source: string | undefined
  readonly text: string
  readonly language: Language | undefined
  readonly diagnostics: readonly (Diagnostic & { readonly line: number })[]
  readonly checking: boolean
  readonly problem: Problem | undefined
  edit(text: string): void
  reset(): void
  forget(): void
}

/** How long a person pauses before the text is checked, in milliseconds. */
const PAUSE = 300

/** The text of a model as it is being changed. The server judges it, as it would judge it when it is loaded. */
export function useDraft(model: ModelRef): Draft {
  const [source, setSource] = useState<string>()
  const [text, setText] = useState('')
  const [language, setLanguage] = useState<Language>()
  const [checked, setChecked] = useState<{ readonly text: string; readonly diagnostics: Draft['diagnostics'] }>()
  const [problem, setProblem] = useState<Problem>()

  useEffect(() => {
    let left = false
    const read = async () => {
      const [loaded, known] = await Promise.all([readSource(model), readLanguage()])
      if (left) return
      setSource(loaded)
      setLanguage(known)
      setText(readDraft(model.name) ?? loaded)
    }
    read().catch((error: unknown) => setProblem(problemOfError(error)))
    return () => {
      left = true
    }
  }, [model])

  useEffect(() => {
    if (source === undefined) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      validate(text, controller.signal)
        .then((findings) => setChecked({ text, diagnostics: placed(text, findings) }))
        .catch((error: unknown) => isAbort(error) || setProblem(problemOfError(error)))
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, source])

  const edit = useCallback(
    (next: string) => {
      setText(next)
      writeDraft(model.name, next)
    },
    [model.name],
  )
  const forget = useCallback(() => forgetDraft(model.name), [model.name])
  const reset = useCallback(() => {
    forgetDraft(model.name)
    setText(source ?? '')
  }, [model.name, source])
  const checking = checked?.text !== text
  return { source, text, language, diagnostics: checking ? NONE : checked.diagnostics, checking, problem, edit, reset, forget }
}

const NONE: Draft['diagnostics'] = []

function placed(text: string, findings: Parameters<typeof diagnosticsOf>[1]): Draft['diagnostics'] {
  return diagnosticsOf(readModelText(text), findings)
    .map((each) => ({ ...each, line: text.slice(0, each.from).split('\n').length }))
    .toSorted((a, b) => a.from - b.from)
}
