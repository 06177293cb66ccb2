/** Which columns of the model are in the text: a metric view has no list of columns, only what reads them. */
import { columnsIn } from '@grainline/importer-dbt/foreign'
import type { DataObject, Node } from './tree.js'
import type { Views } from './views.js'

type Column = NonNullable<ReturnType<DataObject['columns']['get']>>

/** The columns that written items read, and those of joins, also by way of other columns. */
export function columnsRead({ model, report, all }: Views): ReadonlySet<Column> {
  const items = report.written.map(([kind, name]) => {
    if (kind === 'filters') return model.filters[Number(name)]?.condition
    if (kind === 'dimensions') return model.dimensions.get(String(name))?.expression
    const measure = kind === 'measures' ? model.measures.get(String(name)) : undefined
    return measure && [measure.inputs, measure.filters]
  })
  const found = new Set<Column>()
  const ahead = [...columnsIn(items), ...[...all.values()].flatMap(({ tree }) => [...tree.values()].flatMap(joined))]
  for (const { object, column } of ahead) {
    const read = model.dataObjects.get(object)?.columns.get(column)
    if (!read || found.has(read)) continue
    found.add(read)
    if (read.source.kind === 'expression') ahead.push(...columnsIn(read.source.expression))
  }
  return found
}

const joined = ({ link }: Node) =>
  (link?.join.on ?? []).flatMap((term) =>
    term.kind === 'equal' && link
      ? [
          { object: link.join.from, column: term.from },
          { object: link.join.to, column: term.to },
        ]
      : [],
  )
