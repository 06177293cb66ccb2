/** The language service in the editor of the page. */
import { autocompletion, type CompletionContext, type CompletionResult, completionKeymap } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { type EditorView, hoverTooltip, keymap } from '@codemirror/view'
import type { TextEdit } from '@grainline/language'
import type { LanguageClient } from './language-client.js'

export function modelEditing(language: LanguageClient): readonly Extension[] {
  return [
    autocompletion({ override: [(context) => completed(context, language)], icons: false }),
    hoverTooltip(async (view, at) => {
      const found = await language.ask('hover', view.state.doc.toString(), at)
      if (!found) return null
      return { pos: found.from, end: found.to, above: true, create: () => ({ dom: paragraphs(found.text) }) }
    }),
    keymap.of([
      ...completionKeymap,
      { key: 'F12', run: (view) => started(goToDefinition(view, language)) },
      { key: 'F2', run: (view) => started(rename(view, language)) },
      { key: 'Shift-Alt-f', run: (view) => started(format(view, language)) },
    ]),
  ]
}

async function completed(
  { state, pos, explicit, aborted }: CompletionContext,
  language: LanguageClient,
): Promise<CompletionResult | null> {
  const items = (await language.ask('completions', state.doc.toString(), pos)) ?? []
  const [first] = items
  if (aborted || !first || (!explicit && first.span.from === pos && !/[[{: ]/.test(state.sliceDoc(pos - 1, pos)))) return null
  return {
    from: first.span.from,
    options: items.map(({ label, detail, documentation, text, span }) => ({
      label,
      ...(detail !== undefined && { detail }),
      ...(documentation !== undefined && { info: documentation }),
      apply: (view: EditorView) => {
        const to = Math.max(view.state.selection.main.head, span.to)
        view.dispatch({ changes: { from: span.from, to, insert: text }, selection: { anchor: span.from + text.length } })
      },
    })),
  }
}

/** The key is handled. Its effect comes with the answer of the worker. */
function started(work: Promise<void>): boolean {
  work.catch((error: unknown) => console.error(error))
  return true
}

async function goToDefinition(view: EditorView, language: LanguageClient): Promise<void> {
  const { doc, selection } = view.state
  const found = await language.ask('definition', doc.toString(), selection.main.head)
  if (found && view.state.doc === doc) view.dispatch({ selection: { anchor: found.from, head: found.to }, scrollIntoView: true })
}

async function rename(view: EditorView, language: LanguageClient): Promise<void> {
  const { doc, selection } = view.state
  const [text, at] = [doc.toString(), selection.main.head]
  const symbol = await language.ask('renameSpan', text, at)
  const name = symbol && prompt(`A new name for ${symbol.name}`, symbol.name)
  if (name === null || name === undefined) return
  const renaming = await language.ask('rename', text, { at, name })
  if (renaming === undefined || view.state.doc !== doc) return
  if ('edits' in renaming) apply(view, renaming.edits)
  else alert(renaming.refused)
}

async function format(view: EditorView, language: LanguageClient): Promise<void> {
  const { doc } = view.state
  const edits = await language.ask('format', doc.toString(), null)
  if (edits && view.state.doc === doc) apply(view, edits)
}

function apply(view: EditorView, edits: readonly TextEdit[]): void {
  if (edits.length > 0) view.dispatch({ changes: edits.map(({ from, to, text }) => ({ from, to, insert: text })) })
}

/** The parts of Markdown that the service uses: paragraphs, lists, bold and code. */
function paragraphs(markdown: string): HTMLElement {
  const box = document.createElement('div')
  box.className = 'hover-card'
  for (const line of markdown.split('\n').filter((each) => each !== '')) {
    const paragraph = document.createElement('p')
    for (const part of line.replace(/^- /, '• ').split(/(\*\*[^*]+\*\*|`[^`]+`)/)) {
      const marked = /^(\*\*|`)(.+)\1$/.exec(part)
      const node = document.createElement(marked ? (marked[1] === '`' ? 'code' : 'strong') : 'span')
      node.textContent = marked ? marked[2]! : part
      paragraph.append(node)
    }
    box.append(paragraph)
  }
  return box
}
