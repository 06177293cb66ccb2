/** Measures and metrics → measures of the view that has their rows. */
import type { SemanticModel } from '@grainline/core'
import type { Measure } from '@grainline/core/language'
import {
  aggregateSql,
  checkKeys,
  conditionSql,
  FieldTypes,
  homeOf,
  inOrder,
  leftOut,
  namesReadBy,
  objectsIn,
  Unsaid,
  writtenSql,
} from '@grainline/importer-dbt/foreign'
import { formatData } from './formats.js'
import { quotedName } from './identifier.js'
import { MEASURE_KEYS, METRIC_KEYS } from './keys.js'
import type { OutWindow } from './outline.js'
import { AGGREGATES, REWRITTEN, spellingOf } from './spelling.js'
import type { Views, Written } from './views.js'
import { windowsOf } from './windows.js'

type Metric = NonNullable<ReturnType<SemanticModel['metrics']['get']>>

/** A measure as others read it. */
interface Found {
  readonly written: Written
  readonly name: string
  /** What stands in a formula for one that is hidden. */
  readonly inside?: { readonly sql: string; readonly paths: readonly (readonly string[])[] }
  readonly isOverTime: boolean
}

/** Each step writes a measure or a metric. */
export function* addMeasures(views: Views): Generator<void> {
  yield* new Writer(views).write()
}

class Writer {
  readonly #found = new Map<string, Found>()
  readonly #types: FieldTypes
  /** What metrics read. */
  readonly #read: ReadonlySet<string>

  constructor(private readonly views: Views) {
    this.#types = new FieldTypes(views.model)
    this.#read = new Set([...views.model.metrics.values()].flatMap(namesReadBy))
  }

  *write(): Generator<void> {
    const { model, report, all } = this.views
    for (const measure of model.measures.values()) {
      const { name, rowCountOf } = measure
      const path = ['measures', name]
      if (rowCountOf === undefined) report.item(path, `The measure '${name}'`, () => this.#measure(measure, path))
      else if (all.has(rowCountOf))
        report.attempt(['dataObjects', rowCountOf], `The count of rows '${name}'`, () =>
          this.#measure(measure, ['dataObjects', rowCountOf]),
        )
      else if ([...all.values()].some(({ tree }) => tree.has(rowCountOf)))
        report.lose(
          'inert',
          ['dataObjects', rowCountOf],
          `The count of rows '${name}' is not in the text: '${rowCountOf}' is only joined.`,
          { hint: `Write countable: true at '${rowCountOf}' to get a metric view of its rows.` },
        )
      yield
    }
    // A metric is written after those that it reads, whatever their order is.
    for (const metric of inOrder(model.metrics)) {
      this.#types.add(metric)
      const path = ['metrics', metric.name]
      report.item(path, `The metric '${metric.name}'`, () => this.#metric(metric, path))
      yield
    }
    report.hidden(
      [...this.#found].flatMap(([name, { inside }]) => (inside?.paths[0] ? [[name, inside.paths[0]] as const] : [])),
      [...all.values()].flatMap(({ view }) => view.measures.flatMap(({ inside }) => inside)),
    )
  }

  #measure(measure: Measure, path: readonly string[]): void {
    const { views } = this
    const { model, report } = views
    const { name, rowCountOf, defaultValue, filters } = measure
    const entry = rowCountOf === undefined ? (model.document.measures?.[name] ?? {}) : {}
    checkKeys(entry, MEASURE_KEYS)
    const objects = objectsIn(measure)
    const home = homeOf(measure, objects, model)
    const written = views.of(home)
    const spelling = views.spelling(written, home, path)
    if (home !== written.source.name && ![...objects].some((object) => written.tree.get(object)?.isMany))
      throw new Unsaid(`it counts rows of '${home}' without a column of it`, 'Count a column that is never NULL.')
    const context = { home, model, report, path, spelling, aggregates: AGGREGATES, rewritten: REWRITTEN }
    const tests = filters.map((filter) => conditionSql(filter, spelling))
    const when = tests.length === 0 ? '' : ` FILTER (WHERE ${tests.join(' AND ')})`
    const aggregate = `${aggregateSql({ ...measure, filters: [] }, context)}${when}`
    const windows = this.#balance(measure, written)
    const isDefault = defaultValue !== undefined
    if (isDefault && !/^-?\d+(\.\d+)?$/.test(String(defaultValue))) throw new Unsaid('its default value is no number')
    if (isDefault && windows.length > 0) throw new Unsaid('it is semi-additive with a default value')
    if (isDefault) report.lose('rewritten', path, `'${name}' says its default value in its expression.`)
    const sql = isDefault ? `COALESCE(${aggregate}, ${String(defaultValue)})` : aggregate
    this.#add({ item: measure, entry, uses: MEASURE_KEYS, path }, written, sql, windows)
  }

  #balance({ semiAdditive }: Measure, written: Written): readonly OutWindow[] {
    if (!semiAdditive) return []
    const { timeDimension, take, per } = semiAdditive
    if (take !== 'first' && take !== 'last') throw new Unsaid(`it takes the '${take}' of its values over time`)
    if (per.length > 0) throw new Unsaid("it is semi-additive with 'per'")
    if (this.views.model.dimensions.get(timeDimension)?.timeGrain) throw new Unsaid('its time has a grain')
    const order = written.fields.get(timeDimension)
    if (order === undefined) throw leftOut(`the dimension '${timeDimension}'`)
    return [{ order, range: 'current', take }]
  }

  #metric(metric: Metric, path: readonly string[]): void {
    const { model } = this.views
    const uses = METRIC_KEYS[metric.type]
    if (!uses) throw new Unsaid(`a metric of the type '${metric.type}' has no place in a metric view`)
    const entry = model.document.metrics?.[metric.name] ?? {}
    checkKeys(entry, uses)
    const found = namesReadBy(metric).map((name) => this.#of(name))
    const [first] = found
    if (!first) throw new Unsaid('it reads no measure')
    const other = found.find(({ written }) => written !== first.written)
    if (other)
      throw new Unsaid(
        `it reads measures of the metric views of '${first.written.source.name}' and '${other.written.source.name}'`,
        'Compute it where both are asked.',
      )
    const windows = metric.type === 'derived' ? [] : windowsOf(metric, first.written, this.views, path)
    if (windows.length > 0 && found.some(({ isOverTime }) => isOverTime)) throw new Unsaid('what it reads is over time itself')
    this.#add({ item: metric, entry, uses, path }, first.written, this.#value(metric), windows)
  }

  #value(metric: Metric): string {
    const leaf = ({ name }: { readonly kind: 'field'; readonly name: string }) => {
      const found = this.#of(name)
      return found.inside?.sql ?? `MEASURE(${quotedName(found.name)})`
    }
    if ('measure' in metric) return leaf({ kind: 'field', name: metric.measure })
    if (metric.type !== 'derived' && metric.type !== 'period_over_period') throw new Unsaid('it has no expression')
    return writtenSql(metric.expression, {
      ...spellingOf(this.views.model.settings.weekStart),
      leaf,
      typeOf: this.#types.typeOf,
    })
  }

  #of(name: string): Found {
    const found = this.#found.get(name)
    if (!found) throw leftOut(`'${name}'`)
    return found
  }

  #add({ item, entry, uses, path }: Adding, written: Written, sql: string, windows: readonly OutWindow[]): void {
    const { views } = this
    const { report } = views
    const { name: own, description, synonyms = [] } = item
    const isOverTime = windows.length > 0 || ('expression' in item && namesReadBy(item).some((each) => this.#of(each).isOverTime))
    const read = 'type' in item ? namesReadBy(item) : []
    const inside = read.flatMap((name) => this.#of(name).inside?.paths ?? [])
    // A metric view offers all its measures, but a formula may aggregate.
    if (item.hidden === true && !isOverTime && this.#read.has(own)) {
      this.#found.set(own, {
        written,
        name: own,
        inside: { sql: 'type' in item ? `(${sql})` : sql, paths: [path, ...inside] },
        isOverTime,
      })
      for (const key of ['description', 'synonyms', 'format'])
        if (key in entry) report.lose('inert', [...path, key], `'${key}' is not in the text: no number depends on it.`)
      report.inert(path, entry, uses)
      return
    }
    const format = formatData(item.format)
    const name = views.take(written, own, () => true, path)
    written.view.measures.push({ path, inside, name, sql, description, synonyms, windows, format })
    this.#found.set(own, { written, name, isOverTime })
    report.inert(path, entry, uses)
    if (item.format !== undefined && !format)
      report.lose('inert', [...path, 'format'], "'format' is not in the text: no number depends on it.")
    if (item.hidden === true) report.lose('rewritten', path, `'${own}' is hidden here, and offered there.`)
  }
}

interface Adding {
  readonly item: Measure | Metric
  readonly entry: object
  readonly uses: Parameters<typeof checkKeys>[1]
  readonly path: readonly string[]
}
