/** Metric views as texts. */
import { eachInSteps, type PlacedText, yamlText } from '@grainline/importer-dbt/foreign'
import { identifier } from './identifier.js'
import type { OutItem, OutMeasure, OutView } from './outline.js'
import type { Node } from './tree.js'
import type { Written } from './views.js'

type Data = Readonly<Record<string, unknown>>

/** Adds the YAML of a view, a few of its fields in each step. */
export function* addView(written: Written, to: PlacedText): Generator<void> {
  const data = yield* viewData(written)
  const said = pathsOf(written)
  for (const [key, value] of Object.entries(data))
    for (const { part, first } of partsOf(value)) {
      const text = yamlText({ [key]: part }, { lineWidth: 0, aliasDuplicateObjects: false })
      const { begin, paths } = said[key] ?? {}
      // Joins contain joins, and are one part.
      const own = key === 'joins' ? paths : paths?.slice(first, first + FEW)
      const added = first === 0 ? text : text.slice(text.indexOf('\n') + 1)
      if (begin && own) to.addEach(added, begin, own)
      else to.add(added)
      yield
    }
}

interface Said {
  /** How the line of each begins. */
  readonly begin: RegExp
  readonly beginInJson: RegExp
  readonly paths: readonly (readonly OutItem['path'][])[]
}

/** What of the model the keys of a view say. */
function pathsOf({ view, source, tree }: Written): Readonly<Record<string, Said>> {
  const items = (all: readonly (OutItem | OutMeasure)[]) => ({
    begin: /^ {2}- /,
    beginInJson: /^ {4}\{$/,
    paths: all.map((item) => [item.path, ...('inside' in item ? item.inside : [])]),
  })
  return {
    filter: { ...KEY, paths: view.filters.length > 0 ? [view.filters.map(({ path }) => path)] : [] },
    source: { ...KEY, paths: [[['dataObjects', source.name]]] },
    joins: {
      begin: /^ *- name:/,
      beginInJson: /^ *"name":/,
      paths: joinsBelow(tree.get(source.name)?.nodes ?? []).map(joinPaths),
    },
    dimensions: items(view.dimensions),
    measures: items(view.measures),
  }
}

/** A value that is no list is where its key is. */
const KEY = { begin: /^\w/, beginInJson: /^ {2}"/ }

/** Joins in the order in which they are written. */
const joinsBelow = (nodes: readonly Node[]): readonly Node[] => nodes.flatMap((node) => [node, ...joinsBelow(node.nodes)])

/** The table that is joined, and the join that leads to it, or from it. */
const joinPaths = ({ object, link }: Node): readonly OutItem['path'][] => [
  ['dataObjects', object.name],
  ...(link ? [['dataObjects', link.join.from, 'joins', link.at]] : []),
]

/** A list in parts, of which only the first says the key. */
function* partsOf(value: unknown): Generator<{ readonly part: unknown; readonly first: number }> {
  if (!Array.isArray(value)) return yield { part: value, first: 0 }
  for (let at = 0; at < value.length; at += FEW) yield { part: value.slice(at, at + FEW), first: at }
}

const FEW = 50

/**
 * Adds the statement that creates a view. Two dollar signs would end its YAML: with them, it is written as JSON, which is YAML, too, and has another form of the
 * sign.
 */
export function* addStatement(name: string, written: Written, to: PlacedText): Generator<void> {
  to.add(`CREATE OR REPLACE VIEW ${identifier(name)}\nWITH METRICS\nLANGUAGE YAML\nAS $$\n`, ['name'])
  const data = yield* viewData(written)
  if (JSON.stringify(data).includes('$')) yield* addJson(data, written, to)
  else yield* addView(written, to)
  to.add('$$;\n')
}

/** Adds a view as JSON, one of its keys in each step. */
function* addJson(data: Data, written: Written, to: PlacedText): Generator<void> {
  const said = pathsOf(written)
  for (const [at, [key, value]] of Object.entries(data).entries()) {
    const text = JSON.stringify({ [key]: value }, undefined, 2).replaceAll('$', '\\u0024')
    to.add(at === 0 ? '{\n' : ',\n')
    const { beginInJson = /^$/, paths = [] } = said[key] ?? {}
    to.addEach(text.slice(2, -2), beginInJson, paths)
    yield
  }
  to.add('\n}\n')
}

function* viewData({ view, source, tree }: Written): Generator<void, Data> {
  const { description, filters, dimensions, measures }: OutView = view
  return present({
    version: 1.1,
    comment: description,
    source: tableName(source),
    filter: filters.length > 0 ? filters.map(({ sql }) => sql).join(' AND ') : undefined,
    joins: (tree.get(source.name)?.nodes ?? []).map((node) => joinData(node, undefined)),
    dimensions: yield* eachInSteps(dimensions, itemData),
    measures: yield* eachInSteps(measures, measureData),
  })
}

/** Without keys that say nothing. */
const present = (data: Data): Data =>
  Object.fromEntries(
    Object.entries(data).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  )

const tableName = ({ source }: Node['object']): string =>
  source.kind === 'table'
    ? [source.database, source.schema, source.name].flatMap((part) => (part === undefined ? [] : [identifier(part)])).join('.')
    : ''

/** `below`: the join that it begins at; without it, it begins at the source. */
function joinData(node: Node, below: Node | undefined): Data {
  const { object, path, link, isMany, nodes } = node
  const isTurned = link?.join.required === true
  const name = path.at(-1) ?? ''
  const [near, far] = [identifier(below?.path.at(-1) ?? ''), identifier(name)]
  const terms = (link?.pairs ?? []).map(({ from, to }) => {
    const [left, right] = isTurned ? [to, from] : [from, to]
    return `${below ? near : 'source'}.${identifier(left)} = ${far}.${identifier(right)}`
  })
  return present({
    name,
    source: tableName(object),
    on: terms.join(' AND '),
    ...(isTurned && isMany ? { cardinality: 'one_to_many' } : {}),
    ...(!isTurned && hasKey(node) ? { rely: { at_most_one_match: true } } : {}),
    joins: nodes.map((each) => joinData(each, node)),
  })
}

/** Whether the joined columns contain a key that the model declares. */
export function hasKey({ object, link }: Pick<Node, 'object' | 'link'>): boolean {
  const columns = new Set(link?.pairs.map(({ to }) => to))
  return [object.key, ...object.uniqueKeys].some(
    (key) => key.length > 0 && key.every((name) => columns.has(codeOf(object, name))),
  )
}

function codeOf({ columns }: Node['object'], name: string): string {
  const { source } = columns.get(name) ?? {}
  return source?.kind === 'physical' ? source.code : ''
}

const itemData = ({ name, sql, description, synonyms }: OutItem): Data =>
  present({ name, expr: sql, comment: description, synonyms })

const measureData = (measure: OutMeasure): Data => {
  const { windows, format } = measure
  return present({
    ...itemData(measure),
    format,
    window: windows.map(({ order, range, take, offset }) => present({ order, range, semiadditive: take, offset })),
  })
}
