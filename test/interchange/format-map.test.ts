/** docs/reference/format-map.md: each row of it is read or written here, and has the verdict that the page says. */
import t from 'tap'
import { pages } from '../../scripts/format-map.js'
import { stalePages } from '../../scripts/write-pages.js'
import { formatMaps, NOT_READ, readRow, VERDICTS, writeRow } from './format-map.js'
import { FORMATS } from './formats.js'
import { hostOf } from './host-of.js'
import { TRIPS } from './round-trips.js'

t.setTimeout(600_000)

const exportersOf = (format: string) =>
  TRIPS.flatMap(({ exporter }) => (exporter.name.replace('-sql', '') === format ? [exporter] : []))

/** The concepts of each format: the rows of the map that the importers were made from, and what was found since. */
const CONCEPTS: Readonly<Record<string, readonly string[]>> = {
  cube: [
    '`sql_table`, `sql`, `joins`',
    'views, folders, hierarchies, `meta`, `public`, `drill_members`, links',
    'types of measures, `filters`, `running_total`, `rolling_window`, `number`',
    'measures of several stages',
    '`sub_query` dimensions',
    'segments, granularities, calendars',
    '`access_policy`, masks, `pre_aggregations`, `refresh_key`',
    'filters on every measure',
  ],
  databricks: [
    '`source`, the tree of `joins`, `rely`, `filter`',
    '`measures` with FILTER, MEASURE(m)',
    '`window` (order, range, semiadditive, offset)',
    'fields of a fixed level of detail',
    '`parameters`, `materialization`, `format`, `display_name`',
    'versions 1.1 and 0.1, `dimensions` or `fields`',
    'policies',
  ],
  dbt: [
    'entities `primary`, `unique`, `foreign`, `natural`',
    'times and their granularity, time spines',
    'measures and simple metrics (`agg`, `expr`, percentiles)',
    '`non_additive_dimension`',
    'filters in Jinja',
    '`ratio`, `derived`, `offset_window`, `offset_to_grain`, `alias`',
    '`cumulative` (`window`, `grain_to_date`, `period_agg`)',
    '`conversion`',
    '`fill_nulls_with`, `join_to_timespine`',
    '`saved_queries`, `exports`',
    'both specifications',
    'rules in notes',
  ],
  lookml: [
    'views, `derived_table`, explores, joins (`sql_on`, `foreign_key`, `relationship`, `type`)',
    'dimensions, `dimension_group`, tiers, `case`, yes or no, durations, locations',
    'types of measures (`sum_distinct`, `percent_of_total`, `running_total`, `filters`, `list`, `percentile`, `number`)',
    'Liquid, `parameter`, templated filters, `access_filter`, `sql_always_where`, `always_filter`, refinements, `extends`, constants',
    'filters on every measure',
  ],
  obml: ['keys that both have', 'keys that are not known here'],
  ossie: [
    'datasets, `source`',
    '`primary_key`, `unique_keys`',
    '`fields` (expression for each dialect, `datatype`, `is_time`, `label`)',
    '`relationships`',
    '`metrics` (an aggregate in SQL, of the whole model)',
    '`ai_context`',
    '`custom_extensions`',
    'ontology documents',
    'names',
    'filters on every measure',
    'versions 0.2.0.dev0 and 0.1.1',
  ],
  snowflake: [
    '`tables`, `facts`, `dimensions`, `time_dimensions`, `metrics`, metrics of the view',
    '`relationships` (equal columns, ASOF, ranges), `using_relationships`',
    'NON ADDITIVE BY, window functions',
    'named filters, `verified_queries`, `custom_instructions`, VARIABLES',
    'policies',
  ],
  tmdl: [
    'tables and their partitions in M',
    'columns and hierarchies',
    '`relationship` (`isActive`, `crossFilteringBehavior`, cardinality)',
    'measures in DAX',
    'calculation groups, field parameters, roles',
    'filters on every measure',
  ],
}

t.test('each format that is read has rows, and no row is without a text that shows it', async (t) => {
  t.same(
    formatMaps.map(({ format }) => format),
    FORMATS.map(({ importer }) => importer.name).toSorted(),
  )
  t.same(Object.fromEntries(formatMaps.map(({ format, rows }) => [format, rows.map(({ row }) => row)])), CONCEPTS)
  for (const { format, rows } of formatMaps)
    for (const { row, import: read, export: written = [] } of rows) {
      t.ok(read.length > 0, `${format}: ${row}`)
      t.ok(exportersOf(format).length === 0 || written.length > 0, `${format}: ${row} is written`)
      for (const { what, is, line, gives, lacks, writes } of [...read, ...written]) {
        t.ok(VERDICTS.includes(is), what)
        t.ok(is === 'exact' || line !== undefined, `${what} names its line`)
        t.ok(is !== 'exact' || gives || writes !== undefined, `${what} names what is there`)
        t.ok(is !== 'refused' || line !== undefined || lacks, what)
      }
    }
})

for (const map of formatMaps) {
  const importer = FORMATS.find((each) => each.importer.name === map.format)?.importer
  t.test(`${map.format}: each text has its verdict`, async (t) => {
    if (!importer) throw new Error(`no importer reads '${map.format}'`)
    for (const row of map.rows)
      await t.test(row.row, async (t) => {
        await readRow(t, importer, map, row)
        await writeRow(t, exportersOf(map.format), map.format, row)
      })
  })
}

t.test('a format that is not read is an error, which lists those that are', async (t) => {
  const { service } = await hostOf(t, ...FORMATS.flatMap(({ importer }) => (importer.name === 'obml' ? [] : [importer])))
  for (const name of NOT_READ) {
    const format = name.toLowerCase()
    const request = { asker: undefined, model_yaml: 'a: 1', format }
    await t.rejects(service.convert(request), { message: new RegExp(`'${format}'`), details: { suggestions: Array } }, format)
  }
})

t.test('docs/reference/format-map.md says what this test holds', async (t) => {
  t.same(await stalePages(pages), [], 'run scripts/format-map.ts')
})
