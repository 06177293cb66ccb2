/** Models → semantic views. */
import type { Exported, Exporter, SemanticModel } from '@grainline/core'
import { inTurns, Report } from '@grainline/importer-dbt/foreign'
import { identifier } from './identifier.js'
import { metricsOf } from './metrics.js'
import type { OutView } from './outline.js'
import { relationshipsOf } from './relationships.js'
import { segmentsOf } from './segments.js'
import { statementText } from './statement.js'
import { Tables } from './tables.js'
import { yamlOf } from './yaml.js'

/** A semantic view as YAML. */
export const yamlExporter: Exporter = { name: 'snowflake', write: (model) => inTurns(steps(model, false)) }

/** A semantic view as the statement that creates it. */
export const statementExporter: Exporter = { name: 'snowflake-sql', write: (model) => inTurns(steps(model, true)) }

function* steps(model: SemanticModel, isStatement: boolean): Generator<unknown, Awaited<ReturnType<Exporter['write']>>> {
  const filters = model.filters.map((_filter, at) => ({
    message: 'A semantic view has no filter on every question, and every number depends on it.',
    hint: 'Write the filter in a view of the database, and use that as the table.',
    path: ['filters', at],
  }))
  if (filters.length > 0) return { faults: filters }
  const report = new Report()
  const tables = new Tables(model, report)
  yield* tables.write()
  const relationships = relationshipsOf(tables, isStatement)
  segmentsOf(tables, isStatement)
  const metrics = yield* metricsOf(tables)
  reportRest(model, report)
  if (tables.all.length === 0)
    return { faults: [{ message: 'No data object of the model can be a table of a semantic view.', path: [] }] }
  const { name = 'model', description } = model
  const view: OutView = { name: identifier(name), description, tables: tables.all, relationships, metrics }
  if (isStatement) report.lose('rewritten', ['dataObjects'], TYPES, 'Convert to YAML to say them.')
  const content: Exported['content'] = isStatement ? { text: statementText(view) } : { yaml: yamlOf(view) }
  const { written, losses } = report
  return { content, written, losses }
}

const TYPES = 'A statement has no types: columns have those of the tables.'

/** Parts of a model that have no place in a semantic view. */
function reportRest({ document }: SemanticModel, report: Report): void {
  for (const [key, value] of Object.entries(document)) {
    const rest = REST[key]
    if (rest === undefined || (Array.isArray(value) && value.length === 0)) continue
    if (key === 'access') report.losses.push({ kind: 'refused', path: [key], message: ACCESS, isSecurity: true })
    else if (key === 'settings') for (const setting of Object.keys(value as object)) settingLoss(setting, report)
    else if (rest === 'inert') report.lose('inert', [key], `'${key}' is not in the text: no number depends on it.`)
    else report.lose('refused', [key], `'${key}' is not in the text: ${rest}.`)
  }
}

const ACCESS = 'The access rules are left out: a semantic view has none.'

const REST: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'owner synonyms connection decisions customExtensions tests examples'.split(' ').map((key) => [key, 'inert']),
  ),
  access: '',
  settings: '',
  views: 'a semantic view has one list of fields',
  parameters: 'a semantic view has no parameters that are the same',
  calendars: 'periods of a calendar are columns of a table there',
}

const NUMERIC_SETTINGS: Readonly<Record<string, string>> = {
  defaultNumericDataType: 'numbers are rounded to it here',
  defaultTimezone: 'times without a zone are read in it here',
  queryTimezone: 'instants are shown in it here',
  weekStart: 'a session decides the first day of a week there',
  strictFilters: 'a filter that does not reach a measure is an error here',
}

function settingLoss(setting: string, report: Report): void {
  const why = NUMERIC_SETTINGS[setting]
  const path = ['settings', setting]
  if (why === undefined) report.lose('inert', path, `The setting '${setting}' is not in the text: no number depends on it.`)
  else report.lose('refused', path, `The setting '${setting}' is left out: ${why}.`)
}
