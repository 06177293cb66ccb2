/** Foreign texts in which items have one key more, which no format has. */
import { isMap, isNode, isPair, isScalar, LineCounter, parseAllDocuments, stringify, visit, type YAMLMap } from 'yaml'

/** An item of a text, and its key that nobody knows. */
export interface ForeignItem {
  /** The list or the keyword that it is written under. */
  readonly kind: string
  readonly line: number
  readonly key?: { readonly name: string; readonly line: number } | undefined
  /** The items that contain it. */
  readonly around: readonly ForeignItem[]
}

export interface WithKeys {
  readonly text: string
  readonly items: readonly ForeignItem[]
}

/** Whether the item with this number gets a key. */
type Chosen = (number: number) => boolean

export const withKeys = (format: string, text: string, isChosen: Chosen = () => true): WithKeys =>
  format === 'lookml' ? inLookml(text, isChosen) : format === 'tmdl' ? inTmdl(text, isChosen) : inYaml(text, isChosen)

/** Lists whose entries are items, in the formats that are YAML. */
const LISTS = new Set(
  `cubes views dimensions measures joins segments hierarchies fields semantic_models entities metrics saved_queries datasets
  relationships tables facts time_dimensions filters verified_queries`.split(/\s+/),
)
const KEY = 'nobody_'

function inYaml(text: string, isChosen: Chosen): WithKeys {
  let count = 0
  const add = (value: unknown, isItem: boolean): unknown => {
    if (Array.isArray(value)) return value.map((each) => add(each, isItem))
    if (typeof value !== 'object' || value === null) return value
    const own = isItem && isChosen(count) ? { [`${KEY}${count}`]: 'x' } : {}
    if (isItem) count++
    const entries = Object.entries(value).map(([key, each]) => [key, add(each, LISTS.has(key) && Array.isArray(each))])
    return { ...Object.fromEntries(entries), ...own }
  }
  const written = parseAllDocuments(text)
    .map((document) => stringify(add(document.toJS(), false), { aliasDuplicateObjects: false, lineWidth: 0 }))
    .join('---\n')
  return { text: written, items: itemsInYaml(written) }
}

function itemsInYaml(text: string): readonly ForeignItem[] {
  const lines = new LineCounter()
  const lineOf = (node: unknown): number => lines.linePos((isNode(node) && node.range?.[0]) || 0).line
  const items = new Map<YAMLMap, ForeignItem>()
  for (const document of parseAllDocuments(text, { lineCounter: lines }))
    visit(document, {
      Map(at, map, path) {
        const list = path.at(-2)
        const kind = typeof at === 'number' && isPair(list) && isScalar(list.key) ? String(list.key.value) : ''
        if (!LISTS.has(kind)) return
        const key = map.items.map((pair) => pair.key).find((each) => isScalar(each) && String(each.value).startsWith(KEY))
        const around = path.flatMap((each) => (isMap(each) ? (items.get(each) ?? []) : []))
        const own = isScalar(key) ? { name: String(key.value), line: lineOf(key) } : undefined
        items.set(map, { kind, line: lineOf(map), key: own, around })
      },
    })
  return [...items.values()]
}

const BLOCK = /^\s*(view|dimension|dimension_group|measure|explore|join): \+?\w+ \{/

/** A block of LookML begins a line, and what follows its brace begins the next one. */
function inLookml(text: string, isChosen: Chosen): WithKeys {
  const items: ForeignItem[] = []
  const written: string[] = []
  /** The open blocks, and the items among them. */
  const open: (ForeignItem | undefined)[] = []
  for (const line of text.split('\n')) {
    const [header, kind = ''] = BLOCK.exec(line) ?? []
    const key = isChosen(items.length) ? { name: `${KEY}${items.length}`, line: written.length + 2 } : undefined
    const item =
      header === undefined ? undefined : { kind, line: written.length + 1, key, around: open.flatMap((each) => each ?? []) }
    for (const [at, brace] of (line.replace(/"[^"]*"/g, '').match(/[{}]/g) ?? []).entries())
      if (brace === '{') open.push(at === 0 ? item : undefined)
      else open.pop()
    if (item && header !== undefined) {
      items.push(item)
      written.push(header, ...(key ? [`${key.name}: "x"`] : []), line.slice(header.length))
    } else written.push(line)
  }
  return { text: written.join('\n'), items }
}

const ITEM = /^(\t*)(table|column|measure|relationship|hierarchy|level|partition) \S.*[^=]$/

/** An item of TMDL is a line, and its keys are below it. Items with an expression of several lines are left as they are. */
function inTmdl(text: string, isChosen: Chosen): WithKeys {
  const items: ForeignItem[] = []
  const written: string[] = []
  let open: readonly { readonly depth: number; readonly item: ForeignItem }[] = []
  for (const line of text.split('\n')) {
    written.push(line)
    const [, tabs, kind] = ITEM.exec(line) ?? []
    if (tabs === undefined || kind === undefined) continue
    const depth = tabs.length
    open = open.filter((each) => each.depth < depth)
    const key = isChosen(items.length) ? { name: `nobody${items.length}`, line: written.length + 1 } : undefined
    const item = { kind, line: written.length, key, around: open.map((each) => each.item) }
    items.push(item)
    open = [...open, { depth, item }]
    if (key) written.push(`${tabs}\t${key.name}: x`)
  }
  return { text: written.join('\n'), items }
}
