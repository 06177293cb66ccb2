/** Models → metric views, one for each data object whose rows are measured. */
import type { Exporter, ExportFault, SemanticModel } from '@grainline/core'
import { conditionSql, inTurns, PlacedText, Report, Unsaid } from '@grainline/importer-dbt/foreign'
import { addFields } from './fields.js'
import { addMeasures } from './measures.js'
import { reportObjects, reportParts } from './rest.js'
import { addViews } from './sources.js'
import { addStatement, addView } from './text.js'
import { reportDays } from './told-days.js'
import { Views, type Written } from './views.js'

/** Metric views as YAML, each of them a document. */
export const yamlExporter: Exporter = { name: 'databricks', write: (model) => inTurns(steps(model, false)) }

/** Metric views as the statements that create them. */
export const statementExporter: Exporter = { name: 'databricks-sql', write: (model) => inTurns(steps(model, true)) }

function* steps(model: SemanticModel, isStatement: boolean): Generator<unknown, Awaited<ReturnType<Exporter['write']>>> {
  const report = new Report()
  const views = new Views(model, report)
  yield* views.objects()
  for (const step of addViews(views)) {
    if (views.tables > MOST_TABLES)
      return { faults: [{ message: `The metric views would have more than ${MOST_TABLES} tables.`, path: [] }] }
    yield step
  }
  const faults = filterFaults(views)
  if (faults.length > 0) return { faults }
  if (views.all.size * (model.dimensions.size + 1) > MOST_FIELDS)
    return { faults: [{ message: `The metric views would have more than ${MOST_FIELDS} dimensions.`, path: ['dimensions'] }] }
  yield* addFields(views)
  yield* addMeasures(views)
  for (const [name, { view }] of views.all) if (view.dimensions.length + view.measures.length === 0) views.all.delete(name)
  if (views.all.size === 0) return { faults: report.faults('No data object of the model can be the source of a metric view.') }
  reportDays(views)
  yield* reportObjects(views)
  reportParts(model, report, isStatement)
  report.lose('rewritten', ['dataObjects'], 'A metric view has no types: columns have those of the tables.')
  if (report.written.some(([kind, name]) => kind === 'measures' && model.measures.get(String(name))?.filters.length))
    report.lose('rewritten', ['measures'], 'A group without a row that the filters of a measure leave is in an answer there.')
  const text = new PlacedText()
  const names = new Set<string>()
  for (const [at, written] of [...views.all.values()].entries()) {
    if (at > 0) text.add(isStatement ? '\n' : '---\n')
    if (!isStatement) text.add(`# ${lineOf(written)}\n`)
    yield* isStatement ? addStatement(nameOf(written, views, names), written, text) : addView(written, text)
  }
  const { written, losses } = report
  return { content: text, written, losses }
}

const MOST_TABLES = 20_000
const MOST_FIELDS = 100_000

/** One line, also for readers of YAML 1.1, to which U+0085 ends one. */
const lineOf = ({ source }: Written): string => `Rows of ${source.name.replace(/[\s\u0085]+/g, ' ')}`

/** A view is called like the model, and like its source if there are several. */
function nameOf({ source }: Written, { model, all, report }: Views, taken: Set<string>): string {
  const { name = 'model' } = model
  const whole = all.size > 1 ? `${name} ${source.name}` : name
  const plain = whole.replace(/[^\p{L}\p{N}_]+/gu, '_')
  let free = plain
  for (let at = 2; taken.has(free.toUpperCase()); at++) free = `${plain}_${at}`
  taken.add(free.toUpperCase())
  if (free !== name && model.document.name !== undefined)
    report.lose('rewritten', ['name'], `The metric view of '${source.name}' is called ${free}.`)
  return free
}

/** A filter on every question is said if its object is the source, and only that. Every number depends on it. */
function filterFaults(views: Views): readonly ExportFault[] {
  const { model, all, report } = views
  return model.filters.flatMap(({ dataObject, condition }, at): readonly ExportFault[] => {
    const path = ['filters', at]
    const isJoined = [...all.values()].some(({ source, tree }) => source.name !== dataObject && tree.has(dataObject))
    const source = all.get(dataObject)
    let reason = isJoined ? `metric views join '${dataObject}', and a filter there drops the rows of their sources` : undefined
    if (!isJoined && source) {
      try {
        source.view.filters.push({ path, sql: conditionSql(condition, views.spelling(source, dataObject, path)) })
        report.written.push(path)
      } catch (error) {
        if (!(error instanceof Unsaid)) throw error
        reason = error.message
      }
    } else if (!isJoined)
      report.lose('inert', path, `The filter on '${dataObject}' is not in the text, and its data object neither.`)
    if (reason === undefined) return []
    const hint = 'Write the filter in a view of the database, and use that as the table.'
    return [{ message: `The filter on every question has no place in a metric view: ${reason}.`, hint, path }]
  })
}
