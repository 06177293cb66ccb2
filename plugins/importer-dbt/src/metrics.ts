/** Measures and metrics of dbt → measures and metrics of the model. */
import { type Draft, type Entry, LeftOut } from './draft.js'
import type { ModelObject, Objects } from './model-object.js'
import { columnFor, dimensionName, physicalReference } from './objects.js'
import type { Part } from './part.js'
import type { Aggregate, Condition, Input, Metric, Project } from './project.js'
import { columnOf, modelExpression } from './sql-expression.js'

type ReadCondition = (condition: Condition, base: ModelObject, objects: Objects) => Promise<string>

/** Writes them. The result tells the times of a metric. */
export async function metricsOf(
  project: Project,
  objects: Objects,
  draft: Draft,
  condition: ReadCondition,
): Promise<(metric: string) => ReadonlySet<string>> {
  const writer = new Writer(project, objects, draft, condition)
  await writer.write()
  return (metric) => writer.timesOf(metric)
}

/** A simple metric: an aggregate and its conditions. */
interface Simple {
  readonly aggregate: Aggregate
  readonly conditions: readonly Condition[]
  readonly fill: unknown
}

class Writer {
  readonly #simples = new Map<string, Simple>()
  readonly #byName = new Map<string, Metric>()
  readonly #state = new Map<string, 'open' | 'done' | 'left'>()
  readonly #used = new Set<string>()
  /** Of the measures that are written. */
  readonly #descriptions = new Set<string>()
  readonly #measures: ReadonlyMap<string, Aggregate>

  constructor(
    private readonly project: Project,
    private readonly objects: Objects,
    private readonly draft: Draft,
    private readonly condition: ReadCondition,
  ) {
    this.#measures = new Map(project.measures.map((measure) => [measure.name, measure]))
    for (const metric of project.metrics) this.#byName.set(metric.name, metric)
    for (const metric of project.metrics) {
      const simple = metric.type === 'simple' ? this.#simpleOf(metric) : undefined
      if (simple) this.#simples.set(metric.name, simple)
    }
  }

  async write(): Promise<void> {
    for (const metric of this.project.metrics) await this.#metric(metric)
    // A measure that no metric uses is not offered by dbt, and it is by this model.
    for (const measure of this.project.measures) {
      measure.part.text('create_metric')
      if (this.#isOffered(measure))
        await this.draft.attempt(`The measure '${measure.name}'`, measure.part.place, () =>
          this.#measure(measure.name, { aggregate: measure, conditions: [], fill: undefined }, measure.description),
        )
      this.#reportDescription(measure)
    }
  }

  /** The times of all simple metrics inside. */
  timesOf(name: string, seen = new Set<string>()): ReadonlySet<string> {
    if (seen.has(name) || seen.size > MOST_INSIDE) return new Set()
    seen.add(name)
    const simple = this.#simpleInput({ name })
    if (!simple) return new Set((this.#byName.get(name)?.inputs ?? []).flatMap((each) => [...this.timesOf(each.name, seen)]))
    const { model } = this.#object(simple.aggregate)
    const time = simple.aggregate.time ?? model.defaultTime
    return new Set(time === undefined ? [] : [dimensionName(model, time)])
  }

  /** Not if a metric is its reader, or was before it was disabled, or has written it. */
  #isOffered({ name, part }: Aggregate): boolean {
    const { disabled } = this.project
    const isWritten = this.#byName.has(name) || Object.hasOwn(this.draft.measures, name)
    // With create_metric, a measure is also a metric, whatever else reads it.
    const isRead = isWritten || (this.#used.has(name) && part.text('create_metric') !== 'true')
    return !isRead && !disabled.measures.has(name) && !disabled.metrics.has(name)
  }

  /** A metric has its own description in place of that of its measure. */
  #reportDescription({ name, description, part }: Aggregate): void {
    if (!description || this.#descriptions.has(description)) return
    this.draft.lose(
      'inert',
      `'description' of the measure '${name}' is not in the model: its metrics have their own.`,
      part.at('description'),
    )
  }

  async #metric(metric: Metric): Promise<void> {
    if (this.#state.has(metric.name)) return
    this.#state.set(metric.name, 'open')
    await this.draft.attempt(`The metric '${metric.name}'`, metric.part.place, () => this.#written(metric))
    this.#state.set(metric.name, this.#isWritten(metric.name) ? 'done' : 'left')
  }

  #isWritten(name: string): boolean {
    return Object.hasOwn(this.draft.measures, name) || Object.hasOwn(this.draft.metrics, name)
  }

  #written(metric: Metric): Promise<void> | void {
    switch (metric.type) {
      case 'simple':
        return this.#simpleMetric(metric)
      case 'ratio':
        return this.#ratio(metric)
      case 'derived':
        return this.#derived(metric)
      case 'cumulative':
        return this.#cumulative(metric)
      case 'conversion':
        return this.#conversion(metric)
      default:
        throw new LeftOut(`'${metric.type}' is no type of a metric`)
    }
  }

  #simpleOf(metric: Metric): Simple | undefined {
    if (metric.aggregate) return { aggregate: metric.aggregate, conditions: metric.conditions, fill: metric.fill }
    const [input] = metric.inputs
    const aggregate = input && this.#measures.get(input.name)
    if (!aggregate) return undefined
    this.#used.add(aggregate.name)
    return { aggregate, conditions: [...metric.conditions, ...input.conditions], fill: input.fill ?? metric.fill }
  }

  async #simpleMetric(metric: Metric): Promise<void> {
    const simple = this.#simples.get(metric.name)
    if (!simple) throw new LeftOut(`there is no measure '${metric.inputs[0]?.name ?? ''}'`)
    await this.#measure(metric.name, simple, metric.description ?? simple.aggregate.description, metric.label, metric.part)
  }

  async #measure(
    name: string,
    simple: Simple,
    description?: string,
    label?: string,
    part: Part = simple.aggregate.part,
    isHidden = false,
  ): Promise<void> {
    const { aggregate, conditions, fill } = simple
    const object = this.#object(aggregate)
    const filters: Entry[] = []
    for (const each of conditions) filters.push({ expression: await this.condition(each, object, this.objects) })
    const entry: Entry = {
      ...(await this.#aggregation(name, aggregate, object)),
      ...(filters.length > 0 && { filters }),
      ...this.#balance(name, aggregate, object),
      ...this.#fill(fill),
      ...(description && { description }),
      ...(label !== undefined && label !== name && { synonyms: [label] }),
      ...(isHidden && { hidden: true }),
    }
    this.draft.add('measures', name, entry, part.place)
    if (description) this.#descriptions.add(description)
  }

  async #aggregation(name: string, aggregate: Aggregate, object: ModelObject): Promise<Entry> {
    const { agg, expr, part } = aggregate
    const kind = Object.hasOwn(AGGREGATIONS, agg) ? AGGREGATIONS[agg] : undefined
    if (kind === undefined) throw new LeftOut(`'${agg}' is no aggregation here`, part.at('agg'))
    if (agg === 'sum_boolean') {
      const message = `'${name}' counts the rows that are true: it is 0, and not NULL, where there are no rows.`
      this.draft.lose('rewritten', message, part.at('agg'))
    } else if (kind.startsWith('count'))
      this.draft.loseOnce('rewritten', 'A count of nothing is 0. In dbt it is NULL.', part.at('agg'))
    const percentile = agg === 'percentile' ? this.#percentile(name, aggregate) : {}
    const use = USES[kind]
    const column = expr === '*' || /^[\s\d]+$/.test(expr) ? undefined : await columnOf(expr)
    if (column !== undefined)
      return {
        aggregation: kind,
        columns: [{ dataObject: object.name, column: await columnFor(expr, name, object, use) }],
        ...percentile,
      }
    const constant = /^\s*(\d+)\s*$/.exec(expr)?.[1]
    if (kind === 'count' && (expr === '*' || constant !== undefined)) return { aggregation: kind, anchor: object.name }
    const expression = constant ?? (await modelExpression(expr, (words, inner) => physicalReference(words, object, inner), use))
    this.draft.noteDivision(expression, name, part.at('agg'))
    return { aggregation: kind, expression, ...(constant !== undefined && { anchor: object.name }), ...percentile }
  }

  #percentile(name: string, { percentile, part }: Aggregate): Entry {
    const fraction = Number(percentile?.text('percentile'))
    if (!(fraction >= 0 && fraction <= 1)) throw new LeftOut('its percentile is no fraction from 0 to 1', part.place)
    const kind = percentile?.text('percentile_type')
    if (percentile?.text('use_discrete_percentile') === 'true' || kind === 'discrete')
      throw new LeftOut(
        'a discrete percentile is another number than that of the model, which lies between two values',
        part.place,
      )
    if (percentile?.text('use_approximate_percentile') === 'true')
      this.draft.lose('rewritten', `The percentile '${name}' is exact, and not approximate.`, part.place)
    return { percentile: fraction }
  }

  #balance(measure: string, { nonAdditive }: Aggregate, { model }: ModelObject): Entry {
    if (!nonAdditive) return {}
    const per = nonAdditive.has('window_groupings') ? nonAdditive.texts('window_groupings') : nonAdditive.texts('group_by')
    const choice = (nonAdditive.text('window_choice') ?? nonAdditive.text('window_agg') ?? 'min').toLowerCase()
    const take = choice === 'max' ? 'last' : 'first'
    const message = `'${measure}' has the ${take} time of each group of a query; dbt takes the ${take} time of all groups, and shows only those with a row at it.`
    this.draft.lose('rewritten', message, nonAdditive.place, { path: ['measures', measure] })
    return {
      semiAdditive: { timeDimension: dimensionName(model, nonAdditive.needed('name')), take, ...(per.length > 0 && { per }) },
    }
  }

  #fill(fill: unknown): Entry {
    if (fill === undefined || fill === null) return {}
    if (typeof fill !== 'number') throw new LeftOut(`fill_nulls_with is '${String(fill)}', which is no number`)
    return { defaultValue: fill }
  }

  #object({ model, part }: Aggregate): ModelObject {
    const object = this.objects.byName.get(model)
    if (!object) throw new LeftOut(`there is no semantic model '${model}'`, part.place)
    return object
  }

  async #ratio(metric: Metric): Promise<void> {
    const [numerator, denominator] = metric.inputs
    if (!numerator || !denominator) throw new LeftOut('a ratio needs a numerator and a denominator')
    const above = await this.#input(numerator, metric, 'numerator')
    const below = await this.#input(denominator, metric, 'denominator')
    this.#formula(metric, `{[${above}]} / {[${below}]}`)
  }

  async #derived(metric: Metric): Promise<void> {
    const names = new Map<string, string>()
    for (const input of metric.inputs) {
      const alias = input.alias ?? input.name
      names.set(alias.toLowerCase(), await this.#input(input, metric, alias))
    }
    const expression = await modelExpression(metric.expr ?? '', (words) => {
      const found = words.length === 1 ? names.get(words[0]!.toLowerCase()) : undefined
      if (found === undefined) throw new LeftOut(`'${words.join('.')}' is none of its metrics`)
      return `{[${found}]}`
    })
    this.draft.noteDivision(expression, metric.name, metric.part.at('expr'))
    this.#formula(metric, expression)
  }

  #formula(metric: Metric, expression: string): void {
    this.draft.add('metrics', metric.name, { expression, ...described(metric) }, metric.part.place)
  }

  /** The name of the measure or metric that an input is, with the conditions of the metric that reads it. */
  async #input(input: Input, metric: Metric, role: string): Promise<string> {
    const isDisabled = this.project.disabled.metrics.has(input.name)
    if (isDisabled && !input.isMeasure)
      throw new LeftOut(`it reads '${input.name}', which dbt has disabled`, input.place, 'Disable it too.')
    const base = this.#metricOf(input)
    const simple = this.#simpleInput(input)
    if (!base && !simple) throw new LeftOut(`there is no metric '${input.name}'`, input.place)
    if (base && base !== metric) await this.#metric(base)
    const conditions = [...metric.conditions, ...input.conditions]
    let name = input.name
    const isOther = !base && (isDisabled || this.#byName.has(name))
    if (conditions.length > 0 || isOther || (input.fill !== undefined && !base)) {
      if (!simple)
        throw new LeftOut(`its filter reaches '${input.name}', which is no simple metric`, input.place, 'Filter its inputs.')
      name = `${metric.name}: ${role}`
      await this.#measure(
        name,
        { ...simple, conditions: [...simple.conditions, ...conditions], fill: input.fill ?? simple.fill },
        undefined,
        undefined,
        metric.part,
        true,
      )
    } else if (base) this.#mustBe(base, metric)
    else if (!Object.hasOwn(this.draft.measures, name) && simple) await this.#measure(name, simple, simple.aggregate.description)
    return input.offsetWindow === undefined && input.offsetToGrain === undefined ? name : this.#offset(name, input, metric, role)
  }

  /** The metric that an input is: a measure is one if a metric is this measure, whole. */
  #metricOf({ name, isMeasure }: Input): Metric | undefined {
    const simple = this.#simples.get(name)
    const isWhole = simple?.aggregate.name === name && simple.conditions.length === 0 && simple.fill === undefined
    return isMeasure && !isWhole ? undefined : this.#byName.get(name)
  }

  #simpleInput({ name, isMeasure }: Pick<Input, 'name' | 'isMeasure'>): Simple | undefined {
    return (isMeasure ? undefined : this.#simples.get(name)) ?? this.#measureAlone(name)
  }

  #measureAlone(name: string): Simple | undefined {
    const aggregate = this.#measures.get(name)
    return aggregate && { aggregate, conditions: [], fill: undefined }
  }

  #mustBe(base: Metric, metric: Metric): void {
    const state = this.#state.get(base.name)
    if (state === 'open') throw new LeftOut(`it reads itself, through '${base.name}'`, metric.part.place)
    if (state === 'left') throw new LeftOut(`'${base.name}' is left out`, metric.part.place)
  }

  #offset(measure: string, input: Input, metric: Metric, role: string): string {
    if (input.offsetWindow !== undefined && input.offsetToGrain !== undefined)
      throw new LeftOut('its input has offset_window and offset_to_grain', input.place)
    const time = this.#timeOf(input, new Set())
    const name = `${metric.name}: ${role} before`
    const window = input.offsetWindow === undefined ? undefined : windowOf(input.offsetWindow)
    const period = window ? { offset: -window.count, offsetGrain: window.grain } : { offsetToGrain: input.offsetToGrain }
    const entry = {
      type: 'period_over_period',
      measure,
      periodOverPeriod: { timeDimension: time, ...period, comparison: 'previousValue' },
      hidden: true,
    }
    this.draft.add('metrics', name, entry, metric.part.place)
    const message = `'${metric.name}' has no row for a time without data of its own; dbt has one if the compared time has data.`
    this.draft.lose('rewritten', message, input.place, { hint: 'Ask with gaps.', path: ['metrics', metric.name] })
    return name
  }

  /** The time of the first simple metric inside. */
  #timeOf(input: Input, seen: Set<string>): string {
    const { name } = input
    const simple = this.#simpleInput(input)
    if (simple) {
      const object = this.#object(simple.aggregate)
      const time = simple.aggregate.time ?? object.model.defaultTime
      if (time === undefined || !object.dimensions.has(time)) throw new LeftOut(`'${name}' has no time`)
      return dimensionName(object.model, time)
    }
    const inner = seen.has(name) ? undefined : this.#byName.get(name)?.inputs[0]
    if (!inner) throw new LeftOut(`'${name}' has no time`)
    return this.#timeOf(inner, seen.add(name))
  }

  async #cumulative(metric: Metric): Promise<void> {
    const [input, other] = metric.inputs
    if (!input) throw new LeftOut('it has no measure')
    if (other) throw new LeftOut('it has several measures', other.place)
    const measure = await this.#input(input, metric, 'base')
    const written = metric.more.window('window')
    const window = written === undefined ? undefined : windowOf(written)
    const grainToDate = metric.more.text('grain_to_date')
    const aggregate = metric.more.text('period_agg') ?? 'first'
    if (aggregate === 'average') throw new LeftOut('the average of its values over a longer period has no place in the model')
    const entry: Entry = {
      ...{ type: 'cumulative', measure, timeDimension: this.#timeOf(input, new Set()) },
      ...(window && { window: window.count, windowGrain: window.grain }),
      ...(!window && grainToDate !== undefined && { grainToDate }),
      ...described(metric),
    }
    this.draft.add('metrics', metric.name, entry, metric.part.place)
    if (aggregate !== 'last')
      this.draft.lose(
        'rewritten',
        `Over periods longer than its time, '${metric.name}' is the value at their end; dbt shows that of their first day.`,
        metric.part.place,
        {
          path: ['metrics', metric.name],
        },
      )
  }

  async #conversion(metric: Metric): Promise<void> {
    const [base, conversion] = metric.inputs
    if (!base || !conversion) throw new LeftOut('a conversion needs a base and a conversion')
    if (metric.more.has('constant_properties')) throw new LeftOut('constant_properties have no place in a conversion')
    const entity = metric.more.needed('entity')
    if (!Object.hasOwn(this.draft.dimensions, entity)) throw new LeftOut(`there is no entity '${entity}'`)
    const calculation = CALCULATIONS.get((metric.more.text('calculation') ?? 'conversion_rate').toLowerCase())
    if (calculation === undefined) throw new LeftOut('its calculation is neither conversions nor conversion_rate')
    const written = metric.more.window('window')
    const window = written === undefined ? undefined : windowOf(written)
    const unit = window && UNITS[window.grain]
    if (!window || !unit) throw new LeftOut('it needs a window of days, hours, minutes or weeks')
    const entry: Entry = {
      type: 'conversion',
      base: await this.#input({ ...base, fill: undefined }, metric, 'base'),
      conversion: await this.#input({ ...conversion, fill: undefined }, { ...metric, conditions: [] }, 'conversion'),
      ...{ entity, timeDimension: this.#timeOf(base, new Set()), calculation },
      conversionTimeDimension: this.#timeOf(conversion, new Set()),
      window: `${window.count * unit.factor}${unit.letter}`,
      ...described(metric),
    }
    this.draft.add('metrics', metric.name, entry, metric.part.place)
    this.draft.lose(
      'rewritten',
      `'${metric.name}' counts base events that convert later, each once; dbt counts conversions, also at the same moment. Numbers differ where an entity converts twice, or at once.`,
      metric.part.place,
      { path: ['metrics', metric.name] },
    )
  }
}

const MOST_INSIDE = 1000

const CALCULATIONS = new Map([
  ['conversion_rate', 'rate'],
  ['conversions', 'count'],
])

const UNITS: Readonly<Record<string, { readonly letter: string; readonly factor: number } | undefined>> = {
  week: { letter: 'd', factor: 7 },
  day: { letter: 'd', factor: 1 },
  hour: { letter: 'h', factor: 1 },
  minute: { letter: 'm', factor: 1 },
}

const AGGREGATIONS: Readonly<Record<string, string>> = {
  ...{
    sum: 'sum',
    min: 'min',
    max: 'max',
    count: 'count',
    count_distinct: 'count_distinct',
    median: 'median',
    percentile: 'percentile',
  },
  ...{ average: 'avg', avg: 'avg', sum_boolean: 'count_if' },
}

const USES: Readonly<Record<string, 'number' | 'boolean' | undefined>> = {
  ...{ sum: 'number', avg: 'number', median: 'number', percentile: 'number', count_if: 'boolean' },
}

const described = ({ name, label, description }: Metric): Entry => ({
  ...(description && { description }),
  ...(label !== undefined && label !== name && { synonyms: [label] }),
})

function windowOf(written: unknown): { readonly count: number; readonly grain: string } {
  const { count, granularity } = (typeof written === 'object' && written !== null ? written : {}) as {
    count?: unknown
    granularity?: unknown
  }
  const text = count === undefined ? String(written) : `${String(count)} ${String(granularity)}`
  const [, digits, unit] = /^\s*(\d{1,6})\s+(second|minute|hour|day|week|month|quarter|year)s?\s*$/i.exec(text) ?? []
  if (digits === undefined || unit === undefined) throw new LeftOut(`'${text}' is no window`)
  return { count: Number(digits), grain: unit.toLowerCase() }
}
