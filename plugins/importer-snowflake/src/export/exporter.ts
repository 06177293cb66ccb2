/** Models → semantic views. */
import type { Exported, Exporter, SemanticModel } from '@grainline/core'
import { inTurns, Report, type RestOfModel, reportRest } from '@grainline/importer-dbt/foreign'
import { identifier } from './identifier.js'
import { metricsOf } from './metrics.js'
import type { OutView } from './outline.js'
import { relationshipsOf } from './relationships.js'
import { segmentsOf } from './segments.js'
import { statementText } from './statement.js'
import { Tables } from './tables.js'
import { pathsOf, yamlOf } from './yaml.js'

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
  const relationships = yield* relationshipsOf(tables, isStatement)
  segmentsOf(tables, isStatement)
  yield
  const metrics = yield* metricsOf(tables)
  yield
  reportRest(model, report, REST)
  yield
  if (tables.all.length === 0) return { faults: report.faults('No data object of the model can be a table of a semantic view.') }
  const { name = 'model', description } = model
  const view: OutView = { name: identifier(name), description, tables: tables.all, relationships, metrics }
  if (isStatement) report.lose('rewritten', ['dataObjects'], TYPES, { hint: 'Convert to YAML to say them.' })
  const content: Exported['content'] = isStatement
    ? yield* statementText(view)
    : { yaml: yield* yamlOf(view), paths: yield* pathsOf(view) }
  const { written, losses } = report
  return { content, written, losses }
}

const TYPES = 'A statement has no types: columns have those of the tables.'

const REST: RestOfModel = {
  text: 'a semantic view',
  views: 'a semantic view has one list of fields',
  weekStart: 'a session decides the first day of a week there',
  said: new Set(['name', 'description']),
}
