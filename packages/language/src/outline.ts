import { contentOf, type Entry, type ModelText, type Span, spanOfNode, textOf } from './model-text.js'

export interface OutlineItem {
  readonly name: string
  /** The section that contains it; `section` for a section itself. */
  readonly kind: string
  readonly detail: string | undefined
  /** The range of the whole entry. */
  readonly span: Span
  /** The range of its name. */
  readonly nameSpan: Span
  readonly children: readonly OutlineItem[]
}

const NAMED: ReadonlySet<string> = new Set([
  'dataObjects',
  'dimensions',
  'measures',
  'metrics',
  'segments',
  'views',
  'rollups',
  'calendars',
  'parameters',
])
const LISTED: ReadonlySet<string> = new Set(['examples', 'tests'])

/** The sections with their declarations, and the columns of data objects. */
export function outlineOf(model: ModelText): OutlineItem[] {
  const children = childrenBy(model)
  return (children.get(model.entries[0]!) ?? []).flatMap((section) => {
    const name = String(section.path[0])
    if (!NAMED.has(name) && !LISTED.has(name)) return []
    const items = (children.get(section) ?? []).map((entry) => itemOf(entry, name, children))
    return [{ ...placed(section, model), name, kind: 'section', detail: `${items.length}`, children: items }]
  })

  function itemOf(entry: Entry, kind: string, all: ReadonlyMap<Entry, readonly Entry[]>): OutlineItem {
    const inner = (all.get(entry) ?? []).find(({ path }) => path.at(-1) === 'columns')
    const columns = kind === 'dataObjects' && inner ? (all.get(inner) ?? []) : []
    const own = all.get(entry) ?? []
    const detail = ['aggregation', 'timeGrain', 'abstractType', 'type', 'code'].flatMap(
      (key) => textOf(own.find(({ path }) => path.at(-1) === key)?.value) ?? [],
    )[0]
    const name = entry.key
      ? String(entry.path.at(-1))
      : (textOf(own.find(({ path }) => path.at(-1) === 'name')?.value) ?? `${Number(entry.path.at(-1)) + 1}`)
    return { ...placed(entry, model), name, kind, detail, children: columns.map((column) => itemOf(column, 'columns', all)) }
  }
}

function childrenBy({ entries }: ModelText): ReadonlyMap<Entry, readonly Entry[]> {
  const children = new Map<Entry, Entry[]>()
  for (const entry of entries) {
    if (!entry.parent) continue
    const list = children.get(entry.parent)
    if (list) list.push(entry)
    else children.set(entry.parent, [entry])
  }
  return children
}

function placed({ key, value }: Entry, { text }: ModelText): Pick<OutlineItem, 'span' | 'nameSpan'> {
  const inner = value ? spanOfNode(value) : undefined
  const nameSpan = key
    ? contentOf(key)
    : { from: inner?.from ?? 0, to: Math.min(inner?.to ?? 0, endOfLine(text, inner?.from ?? 0)) }
  const from = key ? spanOfNode(key).from : nameSpan.from
  return {
    span: { from, to: Math.max(nameSpan.to, from + text.slice(from, inner?.to ?? nameSpan.to).trimEnd().length) },
    nameSpan,
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
