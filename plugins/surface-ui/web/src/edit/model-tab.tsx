import type { Diagnostic as Marked } from '@codemirror/lint'
import { Button } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { type Problem, problemOfError } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import { ProblemNotice } from '../shell/problem-notice.js'
import CodeView from '../text/code-view.js'
import type { Addition } from './addition.js'
import { type Compared, compareWith } from './compare.js'
import { Comparison } from './comparison.js'
import { HealthPanel } from './health.js'
import { modelEditing } from './model-editing.js'
import { Proof } from './proof.js'
import { type Draft, useDraft } from './use-draft.js'

interface Props {
  readonly model: ModelRef
  /** True if no model can be loaded; drafts can still be checked. */
  readonly curated: boolean
  readonly canRun: boolean
  readonly onLoad: (yaml: string) => Promise<void>
  /** Is written into the draft once. */
  readonly addition: Addition | undefined
  readonly onWritten: () => void
}

/** The model as text. It is checked while the user types, compared with the loaded model, and loaded. A draft survives a reload. */
export default function ModelTab({ model, curated, canRun, onLoad, addition, onWritten }: Props) {
  const draft = useDraft(model)
  const [compared, setCompared] = useState<Compared>()
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState<'compare' | 'load'>()
  const { text, source, language, diagnostics } = draft
  const editing = useMemo(() => (language ? modelEditing(language) : undefined), [language])
  const [shown, setShown] = useState<{ readonly at: number }>()
  useWritten(draft, { addition, onWritten, onShow: setShown })
  const marked = useMemo(() => markedOf(diagnostics, text.length), [diagnostics, text.length])

  const work = async (what: 'compare' | 'load', run: () => Promise<void>) => {
    setBusy(what)
    setProblem(undefined)
    try {
      await run()
    } catch (error) {
      setProblem(problemOfError(error))
    } finally {
      setBusy(undefined)
    }
  }
  if (draft.problem) return <ProblemNotice problem={draft.problem} />
  if (editing === undefined || source === undefined) return <p className="nothing">The model is read …</p>
  const changed = text !== source
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  return (
    <div className="tab-body model-tab">
      <div className="tab-bar">
        <Button
          size="xs"
          disabled={curated || !changed || errors > 0}
          loading={busy === 'load'}
          onClick={() => work('load', async () => onLoad(text).then(draft.forget))}
        >
          Load the draft
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={curated || !changed || errors > 0}
          loading={busy === 'compare'}
          onClick={() => work('compare', async () => setCompared(await compareWith(model, text, canRun)))}
        >
          Compare
        </Button>
        <Button size="xs" variant="default" disabled={!changed} onClick={draft.reset}>
          Discard changes
        </Button>
        <span className="quiet">
          {curated
            ? 'Models come from files here. A draft is checked, and kept in this browser.'
            : changed
              ? 'Your draft is saved in this browser. If you load it, only this tab uses it.'
              : 'Ctrl+Space completes, F2 renames, F12 goes to the definition.'}
        </span>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div className="model-columns">
        <div className="frame">
          <CodeView
            text={text}
            language="yaml"
            label="The model as text"
            diagnostics={marked}
            shown={shown}
            extensions={editing}
            onEdit={draft.edit}
          />
        </div>
        <div className="model-side">
          <Problems {...{ diagnostics }} isChecking={draft.checking} onShow={(at) => setShown({ at })} />
          {compared && <Comparison compared={compared} />}
          <HealthPanel model={model} />
          <Proof model={model} canRun={canRun} />
        </div>
      </div>
    </div>
  )
}

/** The problems as marks of the editor, with what repairs them. */
const markedOf = (diagnostics: Draft['diagnostics'], length: number): readonly Marked[] =>
  diagnostics.map(({ from, to, severity, message, fixes }) => ({
    from: Math.min(from, length),
    to: Math.min(to, length),
    severity,
    message,
    actions: fixes.map(({ title, edits }) => ({
      name: title,
      apply: (view) => view.dispatch({ changes: edits.map((edit) => ({ from: edit.from, to: edit.to, insert: edit.text })) }),
    })),
  }))

interface ProblemsProps extends Pick<Draft, 'diagnostics'> {
  readonly isChecking: boolean
  readonly onShow: (at: number) => void
}

function Problems({ diagnostics, isChecking, onShow }: ProblemsProps) {
  return (
    <section>
      <h2>{isChecking ? 'Checking …' : diagnostics.length === 0 ? 'No problems' : `Problems (${diagnostics.length})`}</h2>
      <ul className="problem-list">
        {diagnostics.slice(0, MOST).map(({ from, code, message, severity, line }) => (
          <li key={`${from} ${code} ${message}`} className={severity}>
            <button type="button" onClick={() => onShow(from)}>
              <code>{line}</code> {message}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface Wanted extends Pick<Props, 'addition' | 'onWritten'> {
  readonly onShow: (place: { readonly at: number }) => void
}

/** What is added becomes part of the draft, where the user sees, changes and loads them. */
function useWritten({ language, text, edit }: Draft, { addition, onWritten, onShow }: Wanted): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each addition, into the text that is there then.
  useEffect(() => {
    if (language === undefined || addition === undefined) return
    onWritten()
    language
      .ask('add', text, addition)
      .then((edits = []) => {
        // The last place comes first, so that those before it stay where they are.
        const [first] = edits.slice(-1)
        if (first === undefined) return
        edit(edits.reduce((now, { from, to, text: added }) => now.slice(0, from) + added + now.slice(to), text))
        onShow({ at: first.from })
      })
      .catch((error: unknown) => console.error(error))
  }, [language, addition])
}

/** Maximum number of entries in the list; the text marks all. */
const MOST = 100
