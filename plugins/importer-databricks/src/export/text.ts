/** Metric views as texts. */
import { eachInSteps, yamlText } from '@grainline/importer-dbt/foreign'
import { identifier } from './identifier.js'
import type { OutItem, OutMeasure, OutView } from './outline.js'
import type { Node } from './tree.js'
import type { Written } from './views.js'

type Data = Readonly<Record<string, unknown>>

/** The YAML of a view, a few of its fields in each step. */
export function* viewText(written: Written): Generator<void, string> {
  const data = yield* viewData(written)
  const texts: string[] = []
  for (const [key, value] of Object.entries(data))
    for (const part of partsOf(value)) {
      const text = yamlText({ [key]: part.value }, { lineWidth: 0, aliasDuplicateObjects: false })
      texts.push(part.isFirst ? text : text.slice(text.indexOf('\n') + 1))
      yield
    }
  return texts.join('')
}

/** A list in parts, of which only the first says the key. */
function* partsOf(value: unknown): Generator<{ readonly value: unknown; readonly isFirst: boolean }> {
  if (!Array.isArray(value)) return yield { value, isFirst: true }
  for (let at = 0; at < value.length; at += FEW) yield { value: value.slice(at, at + FEW), isFirst: at === 0 }
}

const FEW = 50

/**
 * The statement that creates a view. Two dollar signs would end its YAML: with them, it is written as JSON, which is YAML, too, and has another form of the
 * sign.
 */
export function* statementText(name: string, written: Written): Generator<void, string> {
  const yaml = yield* viewText(written)
  const body = yaml.includes('$')
    ? `${JSON.stringify(yield* viewData(written), undefined, 2).replaceAll('$', '\\u0024')}\n`
    : yaml
  return `CREATE OR REPLACE VIEW ${identifier(name)}\nWITH METRICS\nLANGUAGE YAML\nAS $$\n${body}$$;\n`
}

function* viewData({ view, source, tree }: Written): Generator<void, Data> {
  const { description, filters, dimensions, measures }: OutView = view
  return present({
    version: 1.1,
    comment: description,
    source: tableName(source),
    filter: filters.length > 0 ? filters.join(' AND ') : undefined,
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
