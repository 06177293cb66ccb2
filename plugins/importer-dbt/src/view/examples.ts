/** Questions in SQL → examples of the model, if each of their parts is a field of it. */
import { type Draft, type Entry, LeftOut } from '../draft.js'
import { conditionEntry } from '../question.js'
import { columnWords, type SelectStatement, type SqlNode, wholeNumber } from '../select-statement.js'
import { type FunctionCall, type Reading, SqlFault } from '../sql-expression.js'
import type { FieldNames } from './names.js'
import { locate, type ModelObject, type Objects } from './objects.js'
import type { Item, View, ViewQuery } from './view.js'

/** A question that is no example has a line with its reason: it says nothing about numbers of the model. */
export function examplesOf(view: View, objects: Objects, names: FieldNames, draft: Draft): readonly Entry[] {
  const examples: Entry[] = []
  for (const query of view.queries)
    try {
      const example = exampleOf(query, view, objects, names, draft)
      draft.places.push({ path: ['examples', examples.length], place: query.place })
      examples.push(example)
    } catch (error) {
      if (!(error instanceof LeftOut) && !(error instanceof SqlFault)) throw error
      draft.leave(query.place)
      draft.lose('inert', `The verified query '${query.name}' is not in the model: ${error.message}.`, query.place, {
        hint: 'Write it into examples of the model.',
      })
    }
  return examples
}

function exampleOf({ name, question, sql }: ViewQuery, view: View, objects: Objects, names: FieldNames, draft: Draft): Entry {
  if (name === '') throw new LeftOut('it has no name')
  const statement = objects.sql.select(standardSql(sql))
  const query = new Question(statement, sql, view, objects, names, draft).query()
  return { name, ...(question && question !== name && { description: question }), query }
}

/** `SELECT * FROM SEMANTIC_VIEW(v METRICS … DIMENSIONS … WHERE …) ORDER BY …` as a statement of standard SQL. */
function standardSql(sql: string): string {
  const [, inside, rest = ''] =
    /^\s*SELECT\s+\*\s+FROM\s+SEMANTIC_VIEW\s*\(([^;]*)\)\s*((?:ORDER\s+BY|LIMIT)\s[^;)]*)?;?\s*$/i.exec(sql) ?? []
  if (inside === undefined) return sql
  const [head = '', ...condition] = inside.split(/\bWHERE\b/i)
  const [view = '', ...clauses] = head.split(/\b(METRICS|DIMENSIONS|FACTS)\b/i)
  const items = { METRICS: '', DIMENSIONS: '', FACTS: '' }
  for (let at = 0; at + 1 < clauses.length; at += 2) {
    const key = clauses[at]?.toUpperCase() as keyof typeof items
    items[key] += `${items[key] === '' ? '' : ','}${clauses[at + 1] ?? ''}`
  }
  if (items.FACTS !== '') throw new LeftOut('it reads facts, and no metrics')
  const metrics = items.METRICS.split(',').flatMap((each) => (each.trim() === '' ? [] : [`AGG(${each.trim()})`]))
  const selected = [...(items.DIMENSIONS.trim() === '' ? [] : [items.DIMENSIONS]), ...metrics].join(', ')
  const where = condition.length > 0 ? ` WHERE ${condition.join('WHERE')}` : ''
  const groups = items.DIMENSIONS.trim() === '' ? '' : ` GROUP BY ${items.DIMENSIONS}`
  return `SELECT ${selected} FROM ${view}${where}${groups} ${rest}`
}

interface Selected {
  readonly field: string
  readonly isMeasure: boolean
  readonly alias: string | undefined
}

class Question {
  /** The table that it reads; undefined for the view, whose names are those of all tables. */
  readonly #object: ModelObject | undefined

  constructor(
    private readonly statement: SelectStatement,
    private readonly sql: string,
    private readonly view: View,
    private readonly objects: Objects,
    private readonly names: FieldNames,
    private readonly draft: Draft,
  ) {
    const relation = this.#spelled(statement.from.at(-1) ?? '')
    const plain = relation.replace(/^__/, '')
    this.#object = objects.all.get(relation) ?? objects.all.get(plain)
    const isView = view.name !== undefined && view.name.toUpperCase() === relation.toUpperCase()
    if (!this.#object && !isView) throw new LeftOut(`'${statement.from.join('.')}' is no table of the view`)
  }

  query(): Entry {
    const { items, where, having, order, limit } = this.statement
    const selected = items.map(({ node, alias }) => this.#selected(node, alias))
    const isOf = (isMeasure: boolean) => selected.filter((each) => each.isMeasure === isMeasure).map(({ field }) => field)
    const [dimensions, measures] = [isOf(false), isOf(true)]
    if (measures.length === 0) throw new LeftOut('it reads rows, and no metric')
    this.#checkGroups(selected, dimensions)
    const conditions = where.map((node) => this.#condition(node))
    const results = having.map((node) => conditionEntry(this.objects.sql.written(node, this.#results(selected), 'boolean')))
    return {
      select: { dimensions, measures },
      ...(conditions.length > 0 && { where: conditions }),
      ...(results.length > 0 && { having: results }),
      ...(order.length > 0 && {
        order_by: order.map(({ node, isDescending }) => ({
          field: this.#ofResult(node, selected).field,
          ...(isDescending && { direction: 'desc' }),
        })),
      }),
      ...(limit !== undefined && { limit }),
    }
  }

  #spelled(word: string): string {
    return this.objects.format.key(this.objects.format.spelled(word, this.sql))
  }

  /** A dimension, a period of one, or a metric. */
  #selected(node: SqlNode, alias: string | undefined): Selected {
    const words = columnWords(node)
    const dimension = words ? this.#dimension(words) : this.#period(node)
    if (dimension !== undefined) return { field: dimension, isMeasure: false, alias }
    return { field: this.#metric(node), isMeasure: true, alias }
  }

  #dimension(words: readonly string[]): string {
    const { item } = this.#item(words)
    const name = item && this.names.of(item)
    if (name === undefined || !Object.hasOwn(this.draft.dimensions, name))
      throw new LeftOut(`'${words.join('.')}' is no dimension of the model`)
    return name
  }

  /** The item that a name is, in the table or in the view. */
  #item(words: readonly string[]): { readonly item: Item | undefined; readonly object: ModelObject | undefined } {
    if (this.#object) {
      const { object, name } = locate(this.#withoutMark(words), this.sql, this.#object, this.objects)
      if (object !== this.#object) throw new LeftOut(`'${words.join('.')}' is of another table`)
      return { item: object.items.get(this.objects.format.key(name)), object }
    }
    const [first = '', second] = words.map((word) => this.#spelled(word))
    const owners = second === undefined ? [...this.objects.all.values()] : [this.objects.all.get(first)]
    const found = owners.flatMap((object) => {
      const item = object?.items.get(second ?? first)
      return item ? [{ item, object }] : []
    })
    if (found.length > 1) throw new LeftOut(`'${words.join('.')}' is a name in several tables`)
    return found[0] ?? { item: undefined, object: undefined }
  }

  /** `__orders.amount` is `orders.amount`. */
  #withoutMark(words: readonly string[]): readonly string[] {
    const [first = '', ...rest] = words
    return rest.length > 0 ? [first.replace(/^__/, ''), ...rest] : words
  }

  /** `DATE_TRUNC('month', ordered_on)`. */
  #period(node: SqlNode): string | undefined {
    let period: string | undefined
    try {
      this.objects.sql.written(node, {
        names: () => '',
        call: ({ name, args }, write) => {
          const [grain, time] = args
          const words = columnWords(time)
          const unit = name === 'date_trunc' && words ? /^'(\w+)'$/.exec(write(grain))?.[1]?.toLowerCase() : undefined
          if (words && unit !== undefined && GRAINS.has(unit)) period = `${this.#time(words)}:${unit}`
          return ''
        },
      })
    } catch (error) {
      if (!(error instanceof SqlFault)) throw error
    }
    return this.objects.sql.written(node, { names: () => 'x', call: () => 'call' }) === 'call' ? period : undefined
  }

  #time(words: readonly string[]): string {
    const { item, object } = this.#item(words)
    if (!item || !object?.table.times.includes(item)) throw new LeftOut(`'${words.join('.')}' is no time dimension`)
    return this.#dimension(words)
  }

  /** `AGG(revenue)`, or an aggregate that is that of a metric. */
  #metric(node: SqlNode): string {
    const { sql } = this.objects
    let named: readonly string[] | undefined
    const text = sql.written(node, {
      names: (words) => this.#column(words),
      call: (call, write) => {
        if (/^(agg|measure)$/.test(call.name)) named = columnWords(call.args[0])
        return named ? 'named' : spelledCall(call, write)
      },
    })
    if (named && text === 'named') return this.#metricNamed(named)
    const field = this.#metricWith(text)
    if (field === undefined) throw new LeftOut(`there is no metric for ${text.replaceAll(/[{}[\]]/g, '')}`)
    return field
  }

  /** The metric that is this aggregate of all rows. */
  #metricWith(text: string): string | undefined {
    const found = this.#object?.table.metrics.find(
      (metric) => !metric.filter && metric.nonAdditive.length === 0 && metric.over === undefined && this.#textOf(metric) === text,
    )
    const name = found && this.names.of(found)
    return name !== undefined && this.#isMeasure(name) ? name : undefined
  }

  #metricNamed(words: readonly string[]): string {
    const [first = '', second] = words.map((word) => this.#spelled(word))
    const metrics = [...this.objects.all.values()].flatMap(({ table }) =>
      (second === undefined && !this.#object) || table.key === (second === undefined ? this.#object?.table.key : first)
        ? table.metrics
        : [],
    )
    const [found, other] = [...metrics, ...(second === undefined ? this.view.metrics : [])].filter(
      ({ key }) => key === (second ?? first),
    )
    const name = found && this.names.of(found)
    if (name === undefined || other || !this.#isMeasure(name)) throw new LeftOut(`'${words.join('.')}' is no metric of the model`)
    return name
  }

  #isMeasure(name: string): boolean {
    return Object.hasOwn(this.draft.measures, name) || Object.hasOwn(this.draft.metrics, name)
  }

  /** The SQL of a metric, as that of the question is written. */
  #textOf({ sql }: Item): string | undefined {
    const object = this.#object
    try {
      return this.objects.sql.expression(sql, {
        names: (words) => {
          const found = object && locate(words, sql, object, this.objects)
          return found ? columnText(found.object, this.objects.format.key(found.name), found.name) : ''
        },
        call: spelledCall,
      })
    } catch (error) {
      if (!(error instanceof LeftOut) && !(error instanceof SqlFault)) throw error
      return undefined
    }
  }

  #column(words: readonly string[]): string {
    const { item, object } = this.#item(words)
    if (!item || !object) throw new LeftOut(`'${words.join('.')}' is no field of the view`)
    return columnText(object, item.key, item.key)
  }

  /** All dimensions that are selected are groups, and no other. */
  #checkGroups(selected: readonly Selected[], dimensions: readonly string[]): void {
    const groups = this.statement.groups.map((node) => this.#ofResult(node, selected))
    const isAll =
      groups.length === dimensions.length && groups.every(({ field, isMeasure }) => !isMeasure && dimensions.includes(field))
    if (!isAll) throw new LeftOut('its groups are not the dimensions that it selects')
  }

  /** A column of the answer: by its place, its alias, or as it is selected. */
  #ofResult(node: SqlNode, selected: readonly Selected[]): Selected {
    const at = wholeNumber(node)
    const words = columnWords(node)
    const alias = words?.length === 1 ? words[0] : undefined
    const found =
      at !== undefined ? selected[at - 1] : alias === undefined ? undefined : selected.find((each) => each.alias === alias)
    if (found) return found
    const { field } = this.#selected(node, undefined)
    const other = selected.find((each) => each.field === field)
    if (!other) throw new LeftOut(`'${field}' is not selected`)
    return other
  }

  #condition(node: SqlNode): Entry {
    const { sql } = this.objects
    let isOfFact = false
    const expression = sql.written(
      node,
      {
        names: (words) => {
          const { item, object } = this.#item(words)
          const column = item && object?.table.facts.includes(item) ? object.written.get(item) : undefined
          if (column === undefined || !object) return `{[${this.#dimension(words)}]}`
          isOfFact = true
          return `{[${object.name}.${column}]}`
        },
        call: this.objects.format.call,
      },
      'boolean',
    )
    const entry = conditionEntry(expression)
    if (isOfFact && entry['expression'] !== undefined) throw new LeftOut('it filters by an expression over facts')
    return entry
  }

  /** Names and aggregates in HAVING are columns of the answer. */
  #results(selected: readonly Selected[]): Reading {
    return {
      names: (words) => {
        const found = selected.find(({ alias }) => words.length === 1 && alias === words[0])
        return `{[${found?.field ?? this.#dimension(words)}]}`
      },
      call: (call, write) => {
        const text = spelledCall(call, (node) =>
          write(node, undefined, { names: (words) => this.#column(words), call: spelledCall }),
        )
        const field = this.#metricWith(text)
        if (field === undefined || !selected.some((each) => each.field === field))
          throw new LeftOut('HAVING reads what is not selected')
        return `{[${field}]}`
      },
    }
  }
}

const GRAINS = new Set(['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])

/** A column in a text that is only compared with other ones. */
const columnText = (object: ModelObject, key: string, name: string): string => {
  const item = object.items.get(key)
  return `{[${object.name}].[${(item && object.written.get(item)) ?? name}]}`
}

function spelledCall({ name, args, isStar, isDistinct, order, isOdd }: FunctionCall, write: (node: unknown) => string): string {
  if (isOdd || order.length > 0) throw new LeftOut('it has a window, or an aggregate with a filter or an order')
  return `${name}(${isDistinct ? 'DISTINCT ' : ''}${isStar ? '*' : args.map((each) => write(each)).join(', ')})`
}
