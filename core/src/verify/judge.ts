import { errorCatalog } from '../error-catalog.js'
import type { ErrorCode, Finding, Severity } from '../errors.js'
import type { DataObject } from '../model/semantic-model.js'
import type {
  ArrayReport,
  CalendarReport,
  DimensionReport,
  EdgeReport,
  KeyExample,
  MeasureReport,
  ObjectReport,
  SortReport,
  TreeReport,
  UniqueKeyReport,
  WeightReport,
} from './report.js'

/** A dimension with more values than this is longer than people read. */
export const MANY_VALUES = 100_000
/** A dimension with a distinct value for nearly every row is no useful grouping. Objects with few rows get no such finding. */
const NEARLY_EVERY = 0.9
const ENOUGH_ROWS = 1000

export function judgeObject(report: ObjectReport): Finding[] {
  const { name, key, duplicate_keys: duplicates, null_keys: nulls, examples } = report
  const path = `dataObjects.${name}`
  const found: Finding[] = []
  if (duplicates > 0)
    found.push(
      finding(
        'VERIFY_DUPLICATE_KEY',
        {
          severity: 'error',
          message: `${some(duplicates, 'key')} of '${name}' (${key.join(', ')}) ${duplicates === 1 ? 'occurs' : 'occur'} on more than one row${such(examples)}`,
          context: { duplicate_keys: duplicates, examples },
        },
        path,
      ),
    )
  if (nulls > 0)
    found.push(
      finding(
        'VERIFY_NULL_KEY',
        {
          severity: 'error',
          message: `${some(nulls, 'row')} of '${name}' ${nulls === 1 ? 'has' : 'have'} no ${key.join(', ')}`,
          context: {
            null_keys: nulls,
          },
        },
        path,
      ),
    )
  return [...found, ...report.unique_keys.flatMap((each, i) => judgeUniqueKey(name, each, `${path}.uniqueKeys[${i}]`))]
}

function judgeUniqueKey(
  name: string,
  { columns, duplicate_keys: duplicates, examples }: UniqueKeyReport,
  path: string,
): Finding[] {
  if (duplicates === 0) return []
  const message = `${some(duplicates, 'value')} of ${columns.join(', ')}, declared in uniqueKeys of '${name}', ${duplicates === 1 ? 'occurs' : 'occur'} on more than one row${such(examples)}`
  const context = { duplicate_keys: duplicates, examples }
  return [finding('VERIFY_DUPLICATE_KEY', { severity: 'error', message, context }, path)]
}

/** `path` is the place of the join in the model. With `byOwnKey`, a row without a match refers to nothing. */
export function judgeEdge(report: EdgeReport, path: string, byOwnKey: boolean): Finding[] {
  const { from_object: from, to_object: to, join_type: type } = report
  const found: Finding[] = []
  const breaks = (count: number, object: string, columns: readonly string[]) => {
    const message = `The join of '${from}' to '${to}' is declared ${type}, but ${some(count, 'value')} of ${columns.join(', ')} ${count === 1 ? 'occurs' : 'occur'} on more than one row of '${object}'${such(report.duplicate_examples)}`
    found.push(finding('VERIFY_CARDINALITY', { severity: 'error', message, context: { object, duplicates: count } }, path))
  }
  if (type !== 'many-to-many' && report.duplicate_targets > 0) breaks(report.duplicate_targets, to, report.columns_to)
  if (report.ties) {
    const { ties } = report
    const message = `${some(ties, 'value')} of ${report.columns_to.join(', ')} ${ties === 1 ? 'occurs' : 'occur'} on more than one row of '${to}'${such(report.duplicate_examples)}; the join from '${from}' finds the row with the greatest key`
    found.push(finding('VERIFY_TIES', { severity: 'warning', message, context: { object: to, ties } }, path))
  }
  if (type === 'one-to-one' && report.duplicate_sources > 0) breaks(report.duplicate_sources, from, report.columns_from)
  if (report.without_parent > 0 && !byOwnKey) {
    const values = some(report.missing_parents, 'value')
    const message = `${some(report.without_parent, 'row')} of '${from}' (${values} of ${report.columns_from.join(', ')}) ${report.without_parent === 1 ? 'finds' : 'find'} no row of '${to}'${such(report.examples)}`
    const context = { without_parent: report.without_parent, examples: report.examples }
    found.push(
      report.foreign_key === 'declared'
        ? finding('VERIFY_FOREIGN_KEY', { severity: 'error', message: `${message}, but the join is a foreignKey`, context }, path)
        : finding('VERIFY_ORPHANS', { severity: 'warning', message, context }, path),
    )
  }
  return found
}

export function judgeWeights({ bridge, to_object: to, weight, columns, off, examples }: WeightReport): Finding[] {
  if (off === 0) return []
  const message = `The weights (${weight}) of '${bridge}' do not add up to 1 for ${some(off, 'value')} of ${columns.join(', ')}${such(examples)}, so groups do not add up to the total of '${to}'`
  return [finding('VERIFY_WEIGHTS', { severity: 'warning', message, context: { off, examples } }, `dataObjects.${bridge}.weight`)]
}

export function judgeArray({ name, data_object: holder, column, not_arrays: others }: ArrayReport): Finding[] {
  if (others === 0) return []
  const message = `${some(others, 'row')} of '${holder}' ${others === 1 ? 'has' : 'have'} JSON in '${column}' that is no array, so ${others === 1 ? 'it has' : 'they have'} no '${name}'`
  return [
    finding(
      'VERIFY_NOT_AN_ARRAY',
      { severity: 'warning', message, context: { not_arrays: others } },
      `dataObjects.${name}.nestedIn`,
    ),
  ]
}

export function judgeSort({ dimension, sort_by: column, several, examples }: SortReport): Finding[] {
  if (several === 0) return []
  const message = `${some(several, 'value')} of '${dimension}' ${several === 1 ? 'has' : 'have'} several values of '${column}', by which it is sorted${such(examples)}; the least one counts`
  return [
    finding('VERIFY_SORT_BY', { severity: 'warning', message, context: { several, examples } }, `dimensions.${dimension}.sortBy`),
  ]
}

export function judgeCalendar({ name, key, missing, examples, periods }: CalendarReport): Finding[] {
  const path = `dataObjects.${name}.calendar`
  const found: Finding[] = []
  if (missing > 0) {
    const message = `Days are missing from '${name}' at ${some(missing, 'place')}${such(examples)}; facts of these days are in the group of a missing day`
    found.push(finding('VERIFY_CALENDAR', { severity: 'warning', message, context: { missing, examples } }, `${path}.key`))
  }
  for (const { column, period, several_values: values, several_periods: shared, ...such_as } of periods) {
    const differ = (message: string, context: Finding['context'] & object): void =>
      void found.push(finding('VERIFY_CALENDAR', { severity: 'error', message, context }, `${path}.periods.${column}`))
    if (values > 0)
      differ(
        `'${column}' of '${name}' is declared ${period}, but it has several values on the days of ${some(values, 'period')}, by '${key}'${such(such_as.examples)}`,
        { periods: values, examples: such_as.examples },
      )
    if (shared > 0)
      differ(
        `'${column}' of '${name}' is declared ${period}, but ${some(shared, 'value')} of it ${shared === 1 ? 'names' : 'name'} several periods${such(such_as.value_examples)}${period.includes('_of_') ? '' : '; a place in a longer period is declared such as month_of_year'}`,
        { values: shared, examples: such_as.value_examples },
      )
    const { in_pieces: pieces = 0, piece_examples: ofPieces = [], longer, across = 0, across_examples: ofAcross = [] } = such_as
    if (pieces > 0)
      differ(
        `the days of ${some(pieces, 'value')} of '${column}' of '${name}' do not adjoin${such(ofPieces)}; a period is one run of days`,
        { values: pieces, examples: ofPieces },
      )
    if (across > 0)
      differ(
        `${some(across, 'value')} of '${column}' of '${name}' ${across === 1 ? 'lies' : 'lie'} in several values of '${longer}'${such(ofAcross)}; longer periods of a table consist of whole ones`,
        { values: across, examples: ofAcross },
      )
  }
  return found
}

export function judgeTree(report: TreeReport): Finding[] {
  const {
    name,
    data_object: of,
    parent,
    missing_parents: missing,
    without_root: lost,
    examples,
    circle_examples: circles,
  } = report
  const path = `dataObjects.${name}.closure`
  const found: Finding[] = []
  if (missing > 0) {
    const message = `${some(missing, 'value')} of '${parent}' of '${of}' ${missing === 1 ? 'is' : 'are'} the key of no row${such(examples)}; in '${name}' the rows below are at the top`
    found.push(
      finding(
        'VERIFY_ORPHANS',
        { severity: 'warning', message, context: { missing_parents: missing, examples } },
        `${path}.parent`,
      ),
    )
  }
  if (lost > 0) {
    const message = `${some(lost, 'row')} of '${of}' ${lost === 1 ? 'is' : 'are'} on a circle of '${parent}', or below one${such(circles)}; in '${name}' ${lost === 1 ? 'it has' : 'they have'} no Level`
    found.push(
      finding('VERIFY_CIRCLE', { severity: 'error', message, context: { rows: lost, examples: circles } }, `${path}.parent`),
    )
  }
  return found
}

/** `lookup`: other objects join to the object of the dimension, so a value per row is expected. */
export function judgeDimension({ name, distinct, rows }: DimensionReport, lookup: boolean): Finding[] {
  const each = !lookup && rows >= ENOUGH_ROWS && distinct >= rows * NEARLY_EVERY
  if (!each && distinct <= MANY_VALUES) return []
  const message = `Dimension '${name}' has ${distinct} values on ${some(rows, 'row')}${each ? ', nearly one for each' : ''}`
  return [finding('VERIFY_HIGH_CARDINALITY', { severity: 'warning', message, context: { distinct, rows } }, `dimensions.${name}`)]
}

export function judgeMeasure({ name, type, bound, limit, rows }: MeasureReport): Finding[] {
  if (BigInt(bound) <= BigInt(limit)) return []
  const message = `The sum of '${name}' over ${some(rows, 'row')} may reach ${bound}, and ${type} ends at ${limit}`
  return [finding('VERIFY_OVERFLOW_RISK', { severity: 'warning', message, context: { bound, limit } }, `measures.${name}`)]
}

/** The objects to which others join. */
export function lookupsOf(objects: Iterable<DataObject>): ReadonlySet<string> {
  return new Set([...objects].flatMap((object) => object.joins.map((join) => join.to)))
}

interface Judgement {
  readonly severity: Severity
  readonly message: string
  readonly context: Finding['context'] & object
}

function finding(code: ErrorCode, { severity, message, context }: Judgement, path: string): Finding {
  return { code, severity, message, path, hint: errorCatalog[code].fix, context }
}

const some = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function such(examples: readonly KeyExample[]): string {
  const shown = examples.slice(0, 3).map((key) => (Array.isArray(key) ? `(${key.map(spell).join(', ')})` : spell(key)))
  return shown.length === 0 ? '' : `, such as ${shown.join(', ')}`
}

const spell = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))
