/** Metrics → measures, and metrics over them. */
import { type Draft, type Entry, LeftOut } from '../draft.js'
import { type FunctionCall, MOST_CHARACTERS, type Reading, type Use } from '../sql-expression.js'
import { atTime } from './joins.js'
import type { FieldNames } from './names.js'
import { columnReading, locate, type ModelObject, note, type Objects } from './objects.js'
import type { Metric, OverTime, View } from './view.js'

interface Owned {
  readonly metric: Metric
  /** The table of a metric; a derived metric has none. */
  readonly object: ModelObject | undefined
}

export async function metricsOf(
  view: View,
  objects: Objects,
  names: FieldNames,
  primary: ReadonlySet<string>,
  draft: Draft,
): Promise<void> {
  const writer = new Writer(view, objects, names, primary, draft)
  await writer.write()
}

class Writer {
  readonly #owned: readonly Owned[]
  readonly #byKey = new Map<string, Owned[]>()
  readonly #state = new Map<Metric, 'open' | 'done' | 'left'>()
  /** Measures by what they aggregate. */
  readonly #measures = new Map<string, string>()

  constructor(
    view: View,
    private readonly objects: Objects,
    private readonly names: FieldNames,
    private readonly primary: ReadonlySet<string>,
    private readonly draft: Draft,
  ) {
    const tables = [...objects.all.values()]
    this.#owned = [
      ...tables.flatMap((object) => object.table.metrics.map((metric) => ({ metric, object }))),
      ...view.metrics.map((metric) => ({ metric, object: undefined })),
    ]
    for (const owned of this.#owned) {
      const { key } = owned.metric
      const named = this.#byKey.get(key)
      if (named) named.push(owned)
      else this.#byKey.set(key, [owned])
    }
  }

  async write(): Promise<void> {
    // One after another: a metric is written after those that it reads.
    const open = [...this.#owned]
    const read = new Set<Owned>()
    const visit = async (owned: Owned): Promise<void> => {
      if (read.has(owned)) return
      read.add(owned)
      for (const other of this.#readBy(owned)) await visit(other)
      await this.#one(owned)
    }
    for (const owned of open) await visit(owned)
  }

  /** By what a name that is written in the text is compared. */
  #key(written: string): string {
    return this.objects.format.key(this.objects.format.stored(written))
  }

  /** Metrics whose names are in the expression. Which of them it reads shows when it is written. */
  #readBy({ metric }: Owned): readonly Owned[] {
    // It is refused when it is written.
    if (metric.sql.length > MOST_CHARACTERS) return []
    const { metricCall } = this.objects.format
    const paths = metricCall === undefined ? metric.sql.matchAll(PATHS) : metric.sql.matchAll(callsOf(metricCall))
    const found = [...paths].flatMap(([, path = '']) => {
      const words = (path.match(WORDS) ?? []).filter((word) => !KEYWORDS.has(word.toLowerCase())).map((word) => this.#key(word))
      const named = this.#byKey.get(words.at(-1) ?? '') ?? []
      return words.length === 1 ? named : named.filter(({ object }) => object?.table.key === words[0])
    })
    return [...new Set(found)].filter(({ metric: other }) => other !== metric)
  }

  async #one(owned: Owned): Promise<void> {
    const { metric } = owned
    this.#state.set(metric, 'open')
    let isWritten = false
    await this.draft.attempt(`The metric '${metric.name}'`, metric.place, () => {
      this.#written(owned)
      isWritten = true
    })
    this.#state.set(metric, isWritten ? 'done' : 'left')
  }

  #written({ metric, object }: Owned): void {
    if (metric.odd !== undefined) throw new LeftOut(metric.odd, metric.sqlPlace)
    const name = this.names.of(metric)
    const pinned = metric.relationships.find((each) => !this.primary.has(this.#key(each)))
    if (pinned !== undefined)
      throw new LeftOut(
        `it is computed along '${pinned}', which is not the first join of its tables`,
        metric.place,
        'Query with usePathNames.',
      )
    const measures: Entry[] = []
    const filters = this.#filters(metric, object)
    const partName = (at: number) => `${name}: ${at}`
    const expression = this.objects.sql.expression(metric.sql, {
      names: (words, use) => {
        if (this.objects.format.metricCall !== undefined)
          throw new LeftOut(
            `'${words.join('.')}' is in no aggregate`,
            metric.sqlPlace,
            'Aggregate it, or write MEASURE around a measure.',
          )
        if (metric.filter) throw new LeftOut('its filter reaches another metric', metric.filter.place, 'Filter its aggregates.')
        const read = this.#metricNamed(words, metric, object)
        this.#noteUse(read, use)
        return `{[${read}]}`
      },
      compared: (left, right) => {
        this.#noteBeside(left, right)
        this.#noteBeside(right, left)
      },
      call: (call, write) => {
        if (call.name === this.objects.format.metricCall) return this.#called(call, metric, object, write)
        const aggregate = this.#aggregate(call, metric, object, write)
        if (!aggregate) return this.objects.format.call(call, write)
        measures.push({ ...aggregate, ...filters })
        return `{[${partName(measures.length)}]}`
      },
    })
    if (measures.length === 0 && !expression.includes('{['))
      throw new LeftOut('it has no aggregate and reads no metric', metric.sqlPlace)
    const isPlain = measures.length === 1 && expression === `{[${partName(1)}]}`
    if (metric.over) this.#overTime(metric.over, this.#ofParts(expression, measures, metric), metric)
    else if (isPlain) {
      const entry = { ...measures[0], ...this.#balance(metric, object) }
      this.#add('measures', name, entry, metric)
      this.#remember(entry, name)
    } else {
      if (metric.nonAdditive.length > 0)
        throw new LeftOut('only one aggregate can be semi-additive in the model', metric.nonAdditive[0]?.place)
      this.#add('metrics', name, { expression: this.#ofParts(expression, measures, metric) }, metric)
    }
    this.draft.noteDivision(expression, metric.name, metric.sqlPlace)
  }

  /** A formula over its aggregates. One that is a measure already is no second one, or a text would grow each time it is read and written. */
  #ofParts(expression: string, measures: readonly Entry[], metric: Metric): string {
    return measures.reduce((written: string, measure, at) => {
      const part = `${this.names.of(metric)}: ${at + 1}`
      const equal = this.#measures.get(JSON.stringify(measure))
      if (equal !== undefined) return written.replaceAll(`{[${part}]}`, () => `{[${equal}]}`)
      this.draft.add('measures', part, { ...measure, hidden: true }, metric.place)
      this.#remember(measure, part)
      return written
    }, expression)
  }

  #remember(measure: Entry, name: string): void {
    const key = JSON.stringify(measure)
    if (!this.#measures.has(key)) this.#measures.set(key, name)
  }

  /** A formula says of what type a measure is, and so of what type its column is. */
  #noteUse(measure: string, use: Use): void {
    const { aggregation, columns = [] } = this.draft.measures[measure] ?? {}
    if (!OF_THE_VALUES.has(String(aggregation)) || !Array.isArray(columns)) return
    for (const { dataObject, column } of columns as readonly { dataObject: string; column: string }[]) {
      const object = [...this.objects.all.values()].find(({ name }) => name === dataObject)
      note(object?.columns[column], use)
    }
  }

  /** A measure that is compared with a number is one. */
  #noteBeside(left: string, right: string): void {
    const [number, measure] = [left, right].map((text) => /^\{\[([^\][]*)\]\}$/.exec(text)?.[1] ?? '')
    const aggregation = String(this.draft.measures[number ?? '']?.['aggregation'] ?? 'listagg')
    const isFormula = / [-+*/] /.test(String(this.draft.metrics[number ?? '']?.['expression'] ?? ''))
    if (isFormula || (aggregation !== 'listagg' && !OF_THE_VALUES.has(aggregation))) this.#noteUse(measure ?? '', 'number')
  }

  /** A metric inside of the call that names one. */
  #called(
    { args, isStar, isDistinct, isOdd }: FunctionCall,
    metric: Metric,
    object: ModelObject | undefined,
    write: Write,
  ): string {
    const [named, more] = args
    if (named === undefined || more !== undefined || isStar || isDistinct || isOdd)
      throw new LeftOut('MEASURE has not one name', metric.sqlPlace)
    const names: Reading['names'] = (words) => `{[${this.#metricNamed(words, metric, object)}]}`
    const call: Reading['call'] = () => {
      throw new LeftOut('MEASURE has not one name', metric.sqlPlace)
    }
    const written = write(named, undefined, { names, call })
    if (!/^\{\[[^\][]*\]\}$/.test(written)) throw new LeftOut('MEASURE has not one name', metric.sqlPlace)
    return written
  }

  /** The value, which is no field of a question's own, and the steps over it. */
  #overTime(over: OverTime, expression: string, metric: Metric): void {
    const name = this.names.of(metric)
    const time = this.#dimensionOf(over.table, over.dimension)
    if (time === undefined) throw new LeftOut(`there is no dimension '${over.dimension}'`, over.place)
    const value = `${name}: 1`
    const isField = /^\{\[([^\][]*)\]\}$/.exec(expression)?.[1]
    let read = isField ?? `${name}: value`
    if (isField === undefined) this.draft.add('metrics', read, { expression, hidden: true }, metric.place)
    for (const [at, step] of over.steps.entries()) {
      const isLast = at === over.steps.length - 1
      const stepName = isLast ? name : `${value} over time`
      if (isLast) this.#add('metrics', stepName, { ...step(read, time) }, metric)
      else this.draft.add('metrics', stepName, { ...step(read, time), hidden: true }, metric.place)
      read = stepName
    }
  }

  #filters({ filter }: Metric, object: ModelObject | undefined): Entry {
    const from = object ?? this.#only()
    if (!filter) return {}
    if (!from) throw new LeftOut('its filter needs a table', filter.place, 'Move the metric to the metrics of its table.')
    const rows = columnReading(filter.sql, from, this.objects, this.draft)
    return { filters: [{ expression: this.objects.sql.expression(filter.sql, rows, 'boolean') }] }
  }

  #add(kind: 'measures' | 'metrics', name: string, entry: Entry, metric: Metric): void {
    const { description, synonyms, format, place, isPrivate } = metric
    const described = {
      ...(isPrivate && { hidden: true }),
      ...(description && { description }),
      ...(synonyms.length > 0 && { synonyms }),
      ...(format && { format }),
    }
    this.draft.add(kind, name, { ...entry, ...described }, place)
  }

  /** The name of a metric that another one reads: of its own table first. */
  #metricNamed(words: readonly string[], metric: Metric, object: ModelObject | undefined): string {
    const { format, all } = this.objects
    const [first = '', second, ...more] = words.map((word) => format.key(format.spelled(word, metric.sql)))
    const table = second === undefined ? undefined : all.get(first)
    const named = more.length > 0 ? [] : (this.#byKey.get(second ?? first) ?? [])
    const found =
      second === undefined
        ? (named.find((other) => other.object === object) ?? (named.length === 1 ? named[0] : undefined))
        : named.find((other) => table !== undefined && other.object === table)
    if (!found)
      throw new LeftOut(`'${words.join('.')}' is no metric`, metric.sqlPlace, 'Aggregate it, or name the table of the metric.')
    const state = this.#state.get(found.metric)
    if (state === 'left') throw new LeftOut(`'${found.metric.name}' is left out`, metric.sqlPlace)
    if (state !== 'done') throw new LeftOut(`it reads itself, through '${found.metric.name}'`, metric.sqlPlace)
    return this.names.of(found.metric)
  }

  /** The measure of an aggregate, and undefined for another function. */
  #aggregate(call: FunctionCall, metric: Metric, object: ModelObject | undefined, write: Write): Entry | undefined {
    const kind = aggregationOf(call)
    if (kind === undefined) return undefined
    if (call.isWindow)
      throw new LeftOut(
        'a window over the rows of an answer is no value of a measure',
        metric.sqlPlace,
        'Write a metric of the type window or cumulative.',
      )
    const from = object ?? this.#only() ?? this.#ownerOf(call, metric.sql, write)
    if (!from) throw new LeftOut('an aggregate needs one table', metric.sqlPlace, 'Move the metric to the metrics of its table.')
    const filters = call.filter === undefined ? {} : this.#conditionOf(call, metric, from, write)
    if (call.isStar) return { aggregation: 'count', expression: '1', anchor: from.name, ...filters }
    const [value, more] = kind === 'percentile' ? call.order : call.args
    if (value === undefined || more !== undefined) throw new LeftOut(`'${call.name}' has not one value`, metric.sqlPlace)
    const use = NUMBERS.has(kind) ? 'number' : kind === 'count_if' ? 'boolean' : undefined
    const reads: { object: ModelObject; column: string }[] = []
    const expression = write(value, use, this.#rows(metric, from, reads))
    const input = this.#input(expression, from, reads)
    if (kind === 'percentile') return { aggregation: kind, ...input, percentile: fractionOf(call, metric), ...filters }
    return {
      aggregation: call.isDistinct && kind === 'count' ? 'count_distinct' : kind,
      ...input,
      ...(call.isDistinct && kind !== 'count' && { distinct: true }),
      ...filters,
    }
  }

  /** The condition of the rows of one aggregate. */
  #conditionOf({ filter }: FunctionCall, metric: Metric, from: ModelObject, write: Write): Entry {
    if (metric.filter) throw new LeftOut('it has a filter, and its aggregate another one', metric.filter.place)
    this.draft.noteFiltered(this.objects.format.product, metric.sqlPlace)
    return { filters: [{ expression: write(filter, 'boolean', this.#rows(metric, from, [])) }] }
  }

  #only(): ModelObject | undefined {
    const [first, second] = this.objects.all.values()
    return second ? undefined : first
  }

  /** The table of all columns that an aggregate of the view reads. */
  #ownerOf({ args, order, filter }: FunctionCall, sql: string, write: Write): ModelObject | undefined {
    const { format, all } = this.objects
    const owners = new Set<ModelObject | undefined>()
    const names = (words: readonly string[]): string => {
      const [first = '', ...column] = words.map((word) => format.key(format.spelled(word, sql)))
      owners.add(column.length === 0 ? this.#ownerOfColumn(first) : all.get(first))
      return '0'
    }
    const call: Reading['call'] = (inner, go) => {
      if (aggregationOf(inner) !== undefined) throw new LeftOut('it aggregates an aggregate')
      return format.call(inner, go)
    }
    for (const each of [...args, ...order]) write(each, undefined, { names, call })
    const counted = format.home?.(keysOf(owners))
    if (filter !== undefined) write(filter, undefined, { names, call })
    if (format.home) {
      const home = format.home(keysOf(owners))
      if (home !== undefined && home !== counted)
        throw new LeftOut(
          'its condition is on several rows for each one that it counts',
          undefined,
          'Aggregate a column of those rows.',
        )
      return home === undefined ? undefined : all.get(home)
    }
    const [owner] = owners
    if (owners.size === 1) return owner
    const found = [...owners].flatMap((each) => each ?? [])
    if (!format.readsManyTables || found.length < owners.size) return undefined
    const homes = found.filter((each) => found.every((other) => this.#reaches(each, other)))
    return homes.length === 1 ? homes[0] : undefined
  }

  /** The only table that has a field with this name. */
  #ownerOfColumn(key: string): ModelObject | undefined {
    const { readsManyTables, alone } = this.objects.format
    if (alone !== undefined) return this.objects.all.get(alone)
    if (!readsManyTables) return undefined
    const owners = [...this.objects.all.values()].filter(({ items }) => items.has(key))
    return owners.length === 1 ? owners[0] : undefined
  }

  /** Whether each row of a table leads to at most one row of another. */
  #reaches(from: ModelObject, to: ModelObject): boolean {
    const reached = new Set([from.name])
    for (const name of reached)
      for (const { joinTo, joinType, secondary } of (this.draft.dataObjects[name]?.['joins'] ?? []) as readonly Entry[])
        if (typeof joinTo === 'string' && joinType !== 'many-to-many' && secondary !== true) reached.add(joinTo)
    return reached.has(to.name)
  }

  /** Names inside of an aggregate are columns. */
  #rows(metric: Metric, from: ModelObject, reads: { object: ModelObject; column: string }[]): Reading {
    const rows = columnReading(metric.sql, from, this.objects, this.draft)
    return {
      ...rows,
      names: (words, use) => {
        const { object, name } = locate(words, metric.sql, from, this.objects)
        reads.push({ object, column: name })
        return rows.names(words, use)
      },
      call: (call, write) => {
        if (aggregationOf(call) !== undefined || call.isOdd) throw new LeftOut('it aggregates an aggregate', metric.sqlPlace)
        return this.objects.format.call(call, write)
      },
    }
  }

  #input(expression: string, from: ModelObject, reads: readonly { object: ModelObject }[]): Entry {
    const [, object, column] = /^\{\[([^\][]*)\]\.\[([^\][]*)\]\}$/.exec(expression) ?? []
    if (column !== undefined && object === from.name) return { columns: [{ dataObject: object, column }] }
    const isOwn = reads.length > 0 && reads.every((read) => read.object === from)
    return { expression, ...(!isOwn && { anchor: from.name }) }
  }

  /** The value at one end of an order: that of its last rows. */
  #balance({ nonAdditive, name }: Metric, object: ModelObject | undefined): Entry {
    const [first, second] = nonAdditive
    if (!first) return {}
    if (second) throw new LeftOut('it is not additive over two dimensions, and a measure of the model over one', second.place)
    const timeDimension = this.#dimensionOf(first.table ?? object?.name, first.dimension)
    if (timeDimension === undefined) throw new LeftOut(`there is no dimension '${first.dimension}'`, first.place)
    const isNullLast = first.nulls === undefined ? !first.isDescending : /last/i.test(first.nulls)
    if (isNullLast)
      this.draft.lose(
        'rewritten',
        `'${name}' takes the ${first.isDescending ? 'first' : 'last'} time that is known, and not rows without a time.`,
        first.place,
      )
    return { semiAdditive: { timeDimension, take: first.isDescending ? 'first' : 'last' } }
  }

  /** The name of a dimension in the model, whose column is a time. */
  #dimensionOf(table: string | undefined, dimension: string): string | undefined {
    const owner = table === undefined ? undefined : this.objects.all.get(this.#key(table))
    const items = [...(owner?.table.dimensions ?? []), ...(owner?.table.times ?? [])]
    const item = items.find((each) => each.key === this.#key(dimension))
    const name = item && this.names.of(item)
    if (name === undefined || !Object.hasOwn(this.draft.dimensions, name)) return undefined
    const column = this.draft.dimensions[name]?.['column']
    if (owner && typeof column === 'string') atTime(owner, column)
    return name
  }
}

const keysOf = (owners: ReadonlySet<ModelObject | undefined>): readonly string[] =>
  [...owners].flatMap((each) => (each ? [each.table.key] : []))

/** Words that are no names unless they are quoted. */
const KEYWORDS = new Set(
  'all and any as asc between case cast desc distinct else end false filter from in is like not null or order over then true when where'.split(
    ' ',
  ),
)
/** Names, with or without quotes. */
const WORD = '(?:"(?:[^"]|"")+"|[\\w$]+)'
const PATH = `(${WORD}(?:\\s*\\.\\s*${WORD})*)`
const WORDS = new RegExp(WORD, 'g')
const PATHS = new RegExp(PATH, 'g')
const callsOf = (name: string): RegExp => new RegExp(`\\b${name}\\s*\\(\\s*${PATH}`, 'gi')

/** Aggregates whose result is one of the values. */
const OF_THE_VALUES = new Set(['min', 'max', 'mode', 'any_value', 'first', 'last'])

type Write = Parameters<NonNullable<Reading['call']>>[1]

const aggregationOf = ({ name }: FunctionCall): string | undefined =>
  Object.hasOwn(AGGREGATIONS, name) ? AGGREGATIONS[name] : undefined

function fractionOf({ args }: FunctionCall, { sqlPlace }: Metric): number {
  const text = JSON.stringify(args[0] ?? null)
  const fraction = Number(
    /"fval":"([\d.]+)"/.exec(text)?.[1] ?? (/"ival":\{"ival":1\}/.test(text) ? 1 : /"ival":\{\}/.test(text) ? 0 : Number.NaN),
  )
  if (!(fraction >= 0 && fraction <= 1)) throw new LeftOut('its percentile is no fraction from 0 to 1', sqlPlace)
  return fraction
}

const AGGREGATIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['sum', 'count', 'avg', 'min', 'max', 'median', 'mode', 'any_value', 'count_if'].map((name) => [name, name]),
  ),
  ...Object.fromEntries(['stddev', 'stddev_samp', 'stddev_pop', 'variance', 'var_samp', 'var_pop'].map((name) => [name, name])),
  ...{
    variance_samp: 'var_samp',
    variance_pop: 'var_pop',
    approx_count_distinct: 'approx_count_distinct',
    percentile_cont: 'percentile',
  },
  ...{ bool_and: 'bool_and', bool_or: 'bool_or', booland_agg: 'bool_and', boolor_agg: 'bool_or' },
}

const NUMBERS = new Set('sum avg median stddev stddev_samp stddev_pop variance var_samp var_pop percentile'.split(' '))
