import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { MySQL, PostgreSQL, sql } from '@codemirror/lang-sql'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { nonce } from '../shell/nonce.js'

export type Language = 'sql' | 'yaml' | 'json'

interface Props {
  readonly text: string
  readonly language: Language
  readonly label: string
  /** The dialect of SQL. */
  readonly dialect?: string
  /** If absent, the text is read-only. */
  readonly onEdit?: (text: string) => void
  readonly diagnostics?: readonly Diagnostic[]
  /** A position to show: each new value scrolls there. */
  readonly shown?: { readonly at: number } | undefined
  /** More extensions of the editor, such as completion. Read when the editor is created. */
  readonly extensions?: readonly Extension[]
}

/** Text with syntax highlighting, read-only or editable. */
export default function CodeView({ text, language, label, dialect, onEdit, diagnostics, shown, extensions = [] }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const edited = useRef(onEdit)
  edited.current = onEdit
  const grammar = useRef(new Compartment())
  /** The last text that was set or reported, so that a large text is not built again only to compare it. */
  const held = useRef(text)
  const canEdit = onEdit !== undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; what changes later is dispatched below.
  useEffect(() => {
    const told = EditorView.updateListener.of((update) => {
      if (!update.docChanged || update.transactions.every((each) => each.annotation(FROM_OUTSIDE))) return
      held.current = update.state.doc.toString()
      edited.current?.(held.current)
    })
    const state = EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce()),
        grammar.current.of(grammarOf(language, dialect)),
        syntaxHighlighting(colours),
        look,
        EditorView.lineWrapping,
        ...(canEdit ? [typedOver] : []),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        ...(canEdit
          ? [
              lineNumbers(),
              history(),
              drawSelection(),
              indentOnInput(),
              bracketMatching(),
              highlightActiveLine(),
              lintGutter(),
              keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap, indentWithTab]),
              told,
            ]
          : [EditorState.readOnly.of(true), EditorView.editable.of(false)]),
        ...extensions,
      ],
    })
    const made = new EditorView({ state, parent: place.current! })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    view.current?.dispatch({ effects: grammar.current.reconfigure(grammarOf(language, dialect)) })
  }, [language, dialect])
  // Together with rendering: a key pressed in between would be lost.
  useLayoutEffect(() => {
    const { current } = view
    if (current === undefined || held.current === text) return
    held.current = text
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text }, annotations: FROM_OUTSIDE.of(true) })
  }, [text])
  useEffect(() => {
    const { current } = view
    if (current && diagnostics) current.dispatch(setDiagnostics(current.state, [...diagnostics]))
  }, [diagnostics])
  useEffect(() => {
    const { current } = view
    if (current === undefined || shown === undefined) return
    const at = Math.min(shown.at, current.state.doc.length)
    current.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
    current.focus()
  }, [shown])
  return <div ref={place} className="code-view" />
}

function grammarOf(language: Language, dialect?: string): Extension {
  if (language === 'sql') return sql({ dialect: /mysql|mariadb|bigquery|databricks/.test(dialect ?? '') ? MySQL : PostgreSQL })
  return language === 'yaml' ? yaml() : json()
}

/**
 * Replaces a selection by typed text. Chromium would keep the style of the old text as a style attribute, which the
 * policy of the page refuses.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data, isComposing } = event
    const { main, ranges } = view.state.selection
    if (inputType !== 'insertText' || data === null || isComposing || main.empty || ranges.length > 1) return false
    event.preventDefault()
    const insert = () =>
      view.state.update({ ...view.state.replaceSelection(data), userEvent: 'input.type', scrollIntoView: true })
    const taken = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, main.from, main.to, data, insert))
    if (!taken) view.dispatch(insert())
    return true
  },
})

/** A change by the page, not by the user. */
const FROM_OUTSIDE = Annotation.define<boolean>()

/** By CSS variables, so that light and dark share one style. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.integer, tags.float], color: 'var(--code-number)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--code-type)' },
])

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-scroller': { overflow: 'auto' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--quiet)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--panel)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--selected)', color: 'var(--text)' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--sans)' },
})
