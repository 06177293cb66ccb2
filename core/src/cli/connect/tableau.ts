/** Tableau: a data source with the role, type, aggregation and format of each column. */
import { PROTOCOL } from './protocol.js'
import type { Connection, Relation, RelationField, ToolFile } from './relation.js'
import { escaped } from './xml.js'

/** One data source for each relation. */
export const tableauFiles = (connection: Connection): readonly ToolFile[] =>
  connection.relations.map((relation) => ({ name: `${relation.table}.tds`, content: sourceOf(relation, connection) }))

function sourceOf({ model, table, fields }: Relation, { host, port, user, tls }: Connection): string {
  const server = `server='${escaped(host)}' port='${port}' username='${escaped(user)}' sslmode='${tls ? 'require' : ''}'`
  return `<?xml version='1.0' encoding='utf-8' ?>
<datasource formatted-name='${escaped(table)}' inline='true' version='18.1'>
  <connection class='federated'>
    <named-connections>
      <named-connection caption='${escaped(model)}' name='grainline'>
        <connection class='${PROTOCOL.kind}' dbname='${escaped(model)}' ${server} />
      </named-connection>
    </named-connections>
    <relation connection='grainline' name='${escaped(table)}' table='[${escaped(model)}].[${escaped(table)}]' type='table' />
  </connection>
${fields.map(columnOf).join('\n')}
</datasource>
`
}

function columnOf(field: RelationField): string {
  const { name, role, type, format, description } = field
  const kind = typeOf(type)
  const says = description === null ? '' : `<desc><formatted-text><run>${escaped(description)}</run></formatted-text></desc>`
  const shown = format === null ? '' : ` default-format='${escaped(formatOf(format))}'`
  const common = `caption='${escaped(name)}' datatype='${kind}'${shown}`
  if (role === 'dimension') {
    const order = kind === 'string' || kind === 'boolean' ? 'nominal' : 'ordinal'
    return `  <column ${common} name='[${escaped(name)}]' role='dimension' type='${order}'>${says}</column>`
  }
  const aggregation = AGGREGATIONS[field.aggregation ?? '']
  if (aggregation !== undefined)
    return `  <column aggregation='${aggregation}' ${common} name='[${escaped(name)}]' role='measure' type='quantitative'>${says}</column>`
  // Tableau would aggregate the values of groups; the server computes the measure for the groups that are shown.
  const formula = `RAWSQLAGG_${kind === 'integer' ? 'INT' : kind === 'string' ? 'STR' : 'REAL'}("MEASURE(%1)", [${name}])`
  return `  <column datatype='${kind}' hidden='true' name='[${escaped(name)}]' role='measure' type='quantitative' />
  <column ${common} name='[${escaped(`${name} (measure)`)}]' role='measure' type='quantitative'>${says}<calculation class='tableau' formula='${escaped(formula)}' /></column>`
}

/** The aggregates that do not change a measure of this kind. */
const AGGREGATIONS: Readonly<Record<string, string>> = {
  sum: 'Sum',
  count: 'Sum',
  count_if: 'Sum',
  min: 'Min',
  max: 'Max',
  avg: 'Avg',
}

function typeOf(type: string): string {
  if (type === 'date') return 'date'
  if (type.startsWith('timestamp')) return 'datetime'
  if (type === 'bigint') return 'integer'
  if (type === 'boolean') return 'boolean'
  return type === 'double precision' || type.startsWith('numeric') ? 'real' : 'string'
}

/** Patterns of percentages begin with `p`, those of numbers with `n`. */
const formatOf = (pattern: string): string => `${pattern.includes('%') ? 'p' : 'n'}${pattern}`
