/** What the views say of objects, columns and joins, and what they do not. */
import type { SemanticModel } from '@grainline/core'
import { checkKeys, type Report, reportRest, Unsaid } from '@grainline/importer-dbt/foreign'
import { columnsRead } from './columns-read.js'
import { COLUMN_KEYS, JOIN_KEYS } from './keys.js'
import { hasKey } from './text.js'
import { type DataObject, linkOf, type Node } from './tree.js'
import type { Views } from './views.js'

type Column = NonNullable<ReturnType<DataObject['columns']['get']>>
type Join = DataObject['joins'][number]

/** Each step reports an object. */
export function* reportObjects(views: Views): Generator<void> {
  const { report } = views
  const nodes = new Map<DataObject, Node[]>()
  const joins = new Set<Join | undefined>()
  for (const { tree } of views.all.values())
    for (const node of tree.values()) {
      nodes.set(node.object, [...(nodes.get(node.object) ?? []), node])
      joins.add(node.link?.join)
    }
  const read = columnsRead(views)
  for (const object of views.linked.objects.values()) {
    const path = ['dataObjects', object.name]
    const places = nodes.get(object) ?? []
    report.item(path, `The data object '${object.name}'`, () => {
      if (places.length === 0)
        throw new Unsaid(views.removed.has(object.name) ? 'a required join removes rows of its table' : 'no view would read it')
    })
    if (places.length > 0) for (const each of object.columns.values()) column(each, read.has(each), object, views)
    keys(object, places, views)
    for (const at of object.joins.keys()) join(object, at, joins, views)
    yield
  }
}

function column({ name, source, trueValues }: Column, isRead: boolean, object: DataObject, { model, report }: Views): void {
  const path = ['dataObjects', object.name, 'columns', name]
  const what = `The column '${object.name}.${name}'`
  const entry = model.document.dataObjects?.[object.name]?.columns?.[name] ?? {}
  if (!isRead) report.lose('inert', path, `${what} is not in the text: nothing in it reads the column.`)
  else
    report.item(path, what, () => {
      checkKeys(entry, COLUMN_KEYS)
      report.inert(path, entry, COLUMN_KEYS)
      if (source.kind === 'expression')
        report.lose('rewritten', path, `'${name}' is an expression in what reads it: a metric view has no columns of its own.`)
      if (trueValues) report.lose('rewritten', path, `'${name}' is a comparison of its stored values.`)
    })
}

/** A key is said where a join ends at it. */
function keys(object: DataObject, places: readonly Node[], { report }: Views): void {
  const joined = places.filter((node) => node.link?.join.required === false && hasKey(node))
  const isSaid = (key: readonly string[]) =>
    joined.some(({ link }) =>
      key.every((name) => {
        const { source } = object.columns.get(name) ?? {}
        return link?.pairs.some(({ to }) => source?.kind === 'physical' && source.code === to)
      }),
    )
  const [first] = object.key
  if (first !== undefined && !isSaid(object.key))
    report.lose(
      'inert',
      ['dataObjects', object.name, 'columns', first, 'primaryKey'],
      `The key of '${object.name}' is not in the text: no join ends at it.`,
    )
}

function join(object: DataObject, at: number, joins: ReadonlySet<Join | undefined>, views: Views): void {
  const { model, report, linked } = views
  const found = object.joins[at]
  const path = ['dataObjects', object.name, 'joins', at]
  report.item(path, `The join of '${object.name}' to '${found?.to ?? ''}'`, () => {
    linkOf(object, at, linked.objects, model)
    if (!joins.has(found))
      throw new Unsaid(
        found?.required ? 'it removes rows that no view measures' : 'a row may lead to this object in several ways',
      )
    const entry = model.document.dataObjects?.[object.name]?.joins?.[at] ?? {}
    report.inert(path, entry, JOIN_KEYS)
    if (found?.cardinality === 'one-to-one') report.lose('rewritten', path, 'The join is many-to-one there, with the same rows.')
  })
}

/** Parts of a model that have no place in a metric view. */
export function reportParts(model: SemanticModel, report: Report, isNamed: boolean): void {
  for (const name of model.segments.keys())
    report.lose('refused', ['segments', name], `The segment '${name}' is left out: a metric view has no filters with names.`, {
      hint: 'Make a dimension of its condition.',
    })
  reportRest(model, report, { ...REST, said: new Set(isNamed ? ['name', 'description'] : ['description']) })
}

const REST = {
  text: 'a metric view',
  views: 'a metric view has the fields of one source',
  weekStart: 'a week begins there on Monday',
}
