/** The language service in the editor of the page. */
import { autocompletion, type CompletionContext, type CompletionResult, completionKeymap } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { type EditorView, hoverTooltip, keymap } from '@codemirror/view'
import {
  completionsAt,
  definitionAt,
  formatEdits,
  hoverAt,
  type Language,
  readModelText,
  renameAt,
  renameSpanAt,
  type TextEdit,
} from '@grainline/language'

export function modelEditing(language: Language): readonly Extension[] {
  return [
    autocompletion({ override: [(context) => completed(context, language)], icons: false }),
    hoverTooltip((view, at) => {
      const found = hoverAt(readModelText(view.state.doc.toString()), at, language)
      if (!found) return null
      return { pos: found.from, end: found.to, above: true, create: () => ({ dom: paragraphs(found.text) }) }
    }),
    keymap.of([
      ...completionKeymap,
      { key: 'F12', run: goToDefinition },
      { key: 'F2', run: rename },
      { key: 'Shift-Alt-f', run: (view) => apply(view, formatEdits(readModelText(view.state.doc.toString()))) },
    ]),
  ]
}

function completed({ state, pos, explicit }: CompletionContext, language: Language): CompletionResult | null {
  const items = completionsAt(state.doc.toString(), pos, language)
  const [first] = items
  if (!first || (!explicit && first.span.from === pos && !/[[{: ]/.test(state.sliceDoc(pos - 1, pos)))) return null
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

function goToDefinition(view: EditorView): boolean {
  const found = definitionAt(readModelText(view.state.doc.toString()), view.state.selection.main.head)
  if (found) view.dispatch({ selection: { anchor: found.from, head: found.to }, scrollIntoView: true })
  return found !== undefined
}

function rename(view: EditorView): boolean {
  const model = readModelText(view.state.doc.toString())
  const at = view.state.selection.main.head
  const symbol = renameSpanAt(model, at)
  const name = symbol && prompt(`A new name for ${symbol.name}`, symbol.name)
  if (name === null || name === undefined) return symbol !== undefined
  const renaming = renameAt(model, at, name)
  if ('edits' in renaming) return apply(view, renaming.edits)
  alert(renaming.refused)
  return true
}

function apply(view: EditorView, edits: readonly TextEdit[]): boolean {
  if (edits.length > 0) view.dispatch({ changes: edits.map(({ from, to, text }) => ({ from, to, insert: text })) })
  return true
}

/** The few marks that the service uses of Markdown: paragraphs, lists, bold and code. */
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
