/** Saved queries → examples of the model. */
import { type Draft, type Entry, LeftOut } from './draft.js'
import type { Part } from './part.js'
import { conditionsOf } from './project.js'
import { conditionEntry } from './question.js'
import { modelExpression } from './sql-expression.js'

/** The times of a metric, which `metric_time` stands for. */
export type TimesOf = (metric: string) => ReadonlySet<string>

export async function examplesOf(queries: readonly Part[], draft: Draft, timesOf: TimesOf): Promise<readonly Entry[]> {
  const examples: Entry[] = []
  for (const query of queries) {
    const what = `The saved query '${query.text('name') ?? ''}'`
    await draft.attempt(what, query.place, async () => {
      const example = await exampleOf(query, draft, timesOf)
      draft.places.push({ path: ['examples', examples.length], place: query.place })
      examples.push(example)
    })
  }
  return examples
}

async function exampleOf(query: Part, draft: Draft, timesOf: TimesOf): Promise<Entry> {
  const asked = query.part('query_params')
  if (!asked) throw new LeftOut("it has no 'query_params'")
  const measures = asked.texts('metrics')
  const lost = measures.find((name) => !isMetric(name, draft))
  if (lost !== undefined) throw new LeftOut(`'${lost}' is no measure or metric of the model`, asked.at('metrics'))
  const fields = new Fields(draft, measures, timesOf)
  const dimensions = asked.texts('group_by').map((text) => fields.named(text, asked.at('group_by')))
  const where: Entry[] = []
  for (const { text, place } of conditionsOf(asked, 'where')) where.push(await conditionOf(text, place, fields))
  const order = asked.texts('order_by').map((text) => orderOf(text, asked.at('order_by'), fields, [...dimensions, ...measures]))
  const limit = asked.text('limit')
  if (limit !== undefined && !/^\d{1,9}$/.test(limit)) throw new LeftOut(`the limit '${limit}' is no number`, asked.at('limit'))
  const [description, label] = [query.text('description')?.trim(), query.text('label')?.trim()]
  const said = [label, description].filter((text) => text).join(': ')
  return {
    name: query.needed('name'),
    ...(said !== '' && { description: said }),
    query: {
      select: { dimensions, measures },
      ...(where.length > 0 && { where }),
      ...(order.length > 0 && { order_by: order }),
      ...(limit !== undefined && { limit: Number(limit) }),
    },
  }
}

const isMetric = (name: string, { measures, metrics }: Draft): boolean =>
  Object.hasOwn(measures, name) || Object.hasOwn(metrics, name)

/** `Dimension('customer__region')`, `TimeDimension('metric_time', 'month')`, `Entity('customer').descending(True)`. */
const CALL =
  /^\s*(?:Dimension|TimeDimension|Entity|Metric)\(\s*(['"])([\w.]+)\1\s*(?:,\s*(?:time_granularity_name\s*=\s*)?(['"])(\w+)\3\s*)?\)\s*(?:\.grain\(\s*(['"])(\w+)\5\s*\)\s*)?(?:\.descending\(\s*(True|False)\s*\)\s*)?$/i

/** The fields of a question. */
class Fields {
  constructor(
    private readonly draft: Draft,
    private readonly measures: readonly string[],
    private readonly timesOf: TimesOf,
  ) {}

  /** A call, or the short form `metric_time__month`. */
  named(text: string, place: Part['place']): string {
    const [, , called, , second, , third] = CALL.exec(text) ?? []
    const name = called ?? text.trim()
    const grain = third ?? second
    if (grain !== undefined) return this.#at(name, grain.toLowerCase(), text, place)
    if (this.#dimension(name) !== undefined) return this.#at(name, undefined, text, place)
    const short = /^(\w+)__(second|minute|hour|day|week|month|quarter|year)$/.exec(name)
    return this.#at(short?.[1] ?? name, short?.[2], text, place)
  }

  #at(name: string, grain: string | undefined, text: string, place: Part['place']): string {
    const dimension = this.#dimension(name) ?? (name === 'metric_time' ? this.#metricTime(place) : undefined)
    if (dimension === undefined) throw new LeftOut(`${text} is no dimension of the model`, place, HINT)
    const own = this.draft.dimensions[dimension]?.['timeGrain']
    if (grain === undefined || grain === own) return dimension
    if (own === undefined || !GRAINS.includes(grain) || GRAINS.indexOf(grain) < GRAINS.indexOf(String(own)))
      throw new LeftOut(`'${grain}' is no granularity of '${dimension}'`, place)
    return `${dimension}:${grain}`
  }

  #dimension(name: string): string | undefined {
    return Object.hasOwn(this.draft.dimensions, name) ? name : undefined
  }

  /** The time of all metrics that are asked. */
  #metricTime(place: Part['place']): string {
    const times = new Set(this.measures.flatMap((name) => [...this.timesOf(name)]))
    const [time, other] = times
    if (time === undefined || this.#dimension(time) === undefined)
      throw new LeftOut('its metrics have no time for metric_time', place)
    if (other !== undefined)
      throw new LeftOut(
        `its metrics have several times ('${time}', '${other}') for metric_time`,
        place,
        'Ask with a coalesce of them.',
      )
    return time
  }
}

const GRAINS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']
const HINT = 'Write the query into examples, with dimensions of the model.'

/** `-revenue`, or a field with `.descending(True)`. */
function orderOf(text: string, place: Part['place'], fields: Fields, selected: readonly string[]): Entry {
  const isTurned = text.trim().startsWith('-')
  const plain = text.trim().replace(/^-\s*/, '')
  const call = CALL.exec(plain)
  const name = call?.[2] ?? plain
  const field = selected.includes(name) ? name : fields.named(plain, place)
  if (!selected.includes(field)) throw new LeftOut(`it is ordered by ${plain}, which is not selected`, place)
  const isDescending = isTurned || call?.[7]?.toLowerCase() === 'true'
  return { field, ...(isDescending && { direction: 'desc' }) }
}

const TEMPLATE = /\{\{([^{}]*)\}\}/g
/** No field begins with it: a text that does is refused before it is read. */
const FIELD = 'grainline_field_'

async function conditionOf(text: string, place: Part['place'], fields: Fields): Promise<Entry> {
  if (text.includes(FIELD)) throw new LeftOut(`a filter may not contain '${FIELD}'`, place)
  const found: string[] = []
  const sql = text.replaceAll(TEMPLATE, (_whole, inside: string) => {
    if (/^\s*Metric\(/.test(inside)) throw new LeftOut('it filters by the value of a metric', place, HINT)
    found.push(fields.named(inside, place))
    return ` ${FIELD}${found.length - 1} `
  })
  if (/\{[{%#]|[%#}]\}/.test(sql)) throw new LeftOut('its filter has a template that is no field', place)
  const expression = await modelExpression(
    sql,
    (words) => {
      const [word = ''] = words
      const field = word.startsWith(FIELD) && words.length === 1 ? found[Number(word.slice(FIELD.length))] : undefined
      // What stands without a template is a dimension by its name.
      return `{[${field ?? fields.named(words.join('.'), place)}]}`
    },
    'boolean',
  )
  return conditionEntry(expression)
}
