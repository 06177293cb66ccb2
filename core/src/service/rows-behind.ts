import { fail } from '../errors.js'
import { zip } from '../invariant.js'
import { componentsOf, type Measure, type Metric, type SemanticModel } from '../model/semantic-model.js'
import { sameValue } from '../model-tests/compare-value.js'
import { columnsReached } from '../resolve/columns-reached.js'
import { find } from '../resolve/lookup.js'
import { unknownMeasure } from '../resolve/unknown-field.js'
import { rowsOf, type Value } from '../result/value-at.js'
import { withoutHiddenError } from '../without-hidden-error.js'
import type { CellQuestion, CellValue, Execution, FactBehind, RowsBehind, RowsRequest } from './asking.js'
import { everyRow } from './default-limit.js'
import type { ModelService, QueryService } from './semantic-service.js'

interface Asks extends Pick<ModelService & QueryService, 'resolveModel' | 'execute'> {
  /** The model with the measures that a query writes itself. */
  readonly modelOfQuery: (query: unknown, model: SemanticModel) => SemanticModel
}

/** The rows behind a number: queried separately from the answer, aggregated again, and compared with it. */
export function createRowsBehind({ resolveModel, execute, modelOfQuery }: Asks): Pick<QueryService, 'rowsBehind'> {
  return {
    async rowsBehind({ limit, columns, measure: name, cell, ...request }, options = {}) {
      const shown = resolveModel(request.target, request.asker?.principal).model
      const { model, wanted, measures } = cellOf({ name, query: request.query, shown }, modelOfQuery)
      const every = everyRow(options)
      const ask = (question: Omit<CellQuestion, 'cell'>, options = every) =>
        execute({ ...request, cell: { ...question, cell } }, options)
      const found: { readonly measure: string; readonly aggregated: OnlyRow; readonly rowCount: number }[] = []
      for (const measure of measures) {
        const aggregated = await onlyRow(await ask({ shows: 'value', measures: [measure] }))
        const counted = await onlyRow(await ask({ shows: 'count', measures: [measure] }))
        found.push({ measure, aggregated, rowCount: Number(counted.values[0]?.value ?? 0) })
      }
      const answer = await onlyRow(await ask({ shows: 'answer', measures: selectedWith([wanted.name, ...measures], request) }))
      const facts = found.map(({ measure, aggregated, rowCount }): FactBehind => {
        const answered = answer.of(measure)
        const own = aggregated.of(measure)
        // Of a published measure only the number of its rows is shown.
        const shows = model.hiding?.published.has(measure) ? ('count' as const) : ('rows' as const)
        return {
          measure,
          object: aggregated.object,
          answered,
          aggregated: own,
          reconciled: isReconciled(answer.found ? answered : undefined, own, rowCount),
          rowCount,
          offered: shows === 'rows' ? columnsReached(model, aggregated.object) : [],
          rows: () => ask({ shows, measures: [measure], limit, columns }, limit === undefined ? options : every),
        }
      })
      const { handle, dialect } = answer
      return { handle, dialect, answered: answer.of(wanted.name), facts }
    },
  }
}

interface WantedCell {
  readonly name: string
  readonly query: unknown
  readonly shown: SemanticModel
}

/** The measure of a cell, and the measures whose rows are behind it. Errors name nothing that is hidden. */
function cellOf({ name, query, shown }: WantedCell, modelOfQuery: Asks['modelOfQuery']) {
  try {
    const model = modelOfQuery(query, shown)
    const wanted = fieldNamed(name, model)
    return { model, wanted, measures: measuresOf(wanted, model) }
  } catch (error) {
    throw shown.hiding ? withoutHiddenError(error) : error
  }
}

/** The answer has no row for an empty group, and then there must be no rows. */
function isReconciled(answered: CellValue | undefined, { column, value }: CellValue, rowCount: number): boolean {
  if (!answered) return rowCount === 0
  return sameValue(expectedOf(answered.value), value, column.type)
}

const expectedOf = (value: Value) => (typeof value === 'bigint' ? String(value) : value)

function fieldNamed(name: string, model: SemanticModel): Measure | Metric {
  return find(name, model.measures) ?? find(name, model.metrics) ?? unknownMeasure('UNKNOWN_MEASURE', name, model, 'measure')
}

/** The measures from which a value is computed, if it is computed from values of its cell only. Throws `NO_ROWS_BEHIND`. */
function measuresOf(field: Measure | Metric, model: SemanticModel): readonly string[] {
  const found = new Set<string>()
  const stack: (Measure | Metric)[] = [field]
  const visited = new Set<string>()
  for (let top = stack.pop(); top; top = stack.pop()) {
    if (visited.has(top.name)) continue
    visited.add(top.name)
    if (!('type' in top)) found.add(top.name)
    else if (model.hiding?.published.has(top.name)) refusePublished(field)
    else if (top.type === 'derived')
      stack.push(
        ...componentsOf(top)
          .map((name) => fieldNamed(name, model))
          .toReversed(),
      )
    else refuseComputed(field, top, model)
  }
  return [...found]
}

const refusePublished = ({ name }: Measure | Metric): never =>
  fail('NO_ROWS_BEHIND', `The rows behind '${name}' are not shown: it is computed from values that you do not see`, {
    path: 'measure',
  })

function refuseComputed(field: Measure | Metric, metric: Metric, model: SemanticModel): never {
  const bases = [...basesOf(metric, model)]
  const through = field.name === metric.name ? '' : ` is computed from '${metric.name}', which`
  const names = bases.map((name) => `'${name}'`).join(' and ')
  return fail(
    'NO_ROWS_BEHIND',
    `'${field.name}'${through} is a ${metric.type.replaceAll('_', ' ')} metric: it is computed from values of other cells, so this cell has no rows of its own`,
    {
      ...{ path: 'measure', suggestions: bases, context: { metric: metric.name } },
      ...(bases.length > 0 && { hint: `Ask for the rows of ${names}.` }),
    },
  )
}

/** Whose rows may be asked for. Nobody sees what a published metric is computed from. */
function basesOf(metric: Metric, model: SemanticModel, seen = new Set<string>()): Set<string> {
  const bases = new Set<string>()
  if (model.hiding?.published.has(metric.name)) return bases
  for (const name of componentsOf(metric)) {
    if (seen.has(name)) continue
    seen.add(name)
    const below = fieldNamed(name, model)
    for (const base of 'type' in below ? basesOf(below, model, seen) : [below.name]) bases.add(base)
  }
  return bases
}

/** The measures of the query remain in it, because they determine the rows of the answer. */
function selectedWith(names: readonly string[], { query }: Pick<RowsRequest, 'query'>): readonly string[] {
  const select = (query as { readonly select?: { readonly measures?: unknown } } | null)?.select
  const asked = Array.isArray(select?.measures) ? select.measures.filter((name) => typeof name === 'string') : []
  return [...new Set([...asked, ...names])]
}

interface OnlyRow {
  readonly found: boolean
  readonly values: readonly CellValue[]
  readonly of: (name: string) => CellValue
  readonly object: string
  readonly handle: RowsBehind['handle']
  readonly dialect: string
}

async function onlyRow({ schema, batches, compiled }: Execution): Promise<OnlyRow> {
  const rows: Value[][] = []
  for await (const batch of batches) {
    rows.push(...rowsOf(batch, schema))
  }
  const [row] = rows
  if (rows.length > 1)
    fail('INVALID_QUERY', 'The cell matches several rows of the answer; give values that match one', { path: 'cell' })
  const values = row ? zip(schema, row).map(([column, value]) => ({ column, value })) : []
  return {
    found: row !== undefined,
    values,
    of: (name) => {
      const found = values.find(({ column }) => column.name === name && isMeasured(column.role))
      return found ?? { column: schema.find((c) => c.name === name && isMeasured(c.role))!, value: null }
    },
    object: compiled.resolved.fact_tables[0] ?? '',
    handle: compiled.handle,
    dialect: compiled.dialect,
  }
}

const isMeasured = (role: string): boolean => role === 'measure' || role === 'metric'
