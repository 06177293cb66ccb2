/** Models of a small format: one fact per line, `orders: region, sum amount`. Clients load them with `"format": "lines"`, servers from `*.lines`. */
import { definePlugin, type ImportedPlace, type Importer, type ImportFault, type Loss } from '@grainline/core'

const AGGREGATIONS = ['sum', 'avg', 'min', 'max']

export const lines: Importer = {
  name: 'lines',
  detect: ({ text, file }) => file?.endsWith('.lines') || text.startsWith('#lines'),
  async read({ text }) {
    const [dataObjects, dimensions, measures]: Record<string, object>[] = [{}, {}, {}]
    const faults: ImportFault[] = []
    const places: ImportedPlace[] = []
    const losses: Loss[] = []
    for (const [at, line] of text.split('\n').entries()) {
      const place = { line: at + 1, column: 1 }
      if (line.trim() === '' || line.startsWith('#lines')) continue
      if (line.startsWith('#')) {
        losses.push({ kind: 'refused', message: `The comment '${line}' is left out.`, place })
        continue
      }
      const [, table = '', list = ''] = /^(\w+): (.+)$/.exec(line) ?? []
      if (table === '') {
        faults.push({ message: 'A line is a table, a colon, and its fields.', hint: 'Write orders: region, sum amount', place })
        continue
      }
      places.push({ path: ['dataObjects', table], place })
      const columns: Record<string, object> = {}
      for (const item of list.split(',').map((word) => word.trim())) {
        const [column = '', aggregation] = item.split(' ').toReversed()
        const isMeasure = aggregation !== undefined
        columns[column] = { code: column, abstractType: isMeasure ? 'float' : 'string' }
        places.push({ path: ['dataObjects', table, 'columns', column], place })
        if (isMeasure && !AGGREGATIONS.includes(aggregation))
          faults.push({ message: `'${aggregation}' is not one of ${AGGREGATIONS.join(', ')}.`, place })
        else if (isMeasure) measures![`${table} ${item}`] = { aggregation, columns: [{ dataObject: table, column }] }
        else dimensions![`${table} ${column}`] = { dataObject: table, column }
      }
      dataObjects![table] = { code: table, columns }
    }
    return faults.length > 0 ? { faults } : { document: { version: 1, dataObjects, dimensions, measures }, places, losses }
  },
}

export default definePlugin({
  name: '@grainline/example-importer',
  host: '^0.1.0',
  setup: (host) => host.importers.register(lines),
})
