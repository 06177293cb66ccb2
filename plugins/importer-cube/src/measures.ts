/** Measures → measures, formulas over them, and running values. */
import {
  type Draft,
  type Entry,
  type FunctionCall,
  LeftOut,
  type Part,
  type Reading,
  type SqlReader,
} from '@grainline/importer-dbt/foreign'
import { grainOf, rowReading } from './columns.js'
import { type Context, type CubeObject, fullName, opened } from './context.js'
import { typeOf } from './cubes.js'
import { isOn, keyIn, publicIn } from './keys.js'
import { described } from './objects.js'
import { expressionOf, readingInside } from './references.js'
import { windowOf } from './rolling-window.js'

type Write = Parameters<NonNullable<Reading['call']>>[1]

/** Writes each measure once, after those that it reads. */
export class Measures implements Context {
  readonly open = new Set<string>()
  readonly #written = new Map<string, boolean>()

  constructor(
    readonly objects: ReadonlyMap<string, CubeObject>,
    readonly draft: Draft,
    readonly sql: SqlReader,
    private readonly isShown: (name: string) => boolean,
  ) {}

  /** Writes all. */
  write(): void {
    for (const object of this.objects.values()) for (const name of object.cube.measures.keys()) this.#isWritten(name, object)
  }

  measure(object: CubeObject, name: string): string {
    const full = fullName(object, name)
    if (!object.cube.measures.has(name)) throw new LeftOut(`there is no measure '${full}'`)
    if (this.open.has(full)) throw new LeftOut(`'${full}' reads itself`)
    if (!this.#isWritten(name, object)) throw new LeftOut(`'${full}' is left out`)
    return full
  }

  /** Writes a measure, if it is not. */
  #isWritten(name: string, object: CubeObject): boolean {
    const full = fullName(object, name)
    const part = object.cube.measures.get(name)
    const known = this.#written.get(full)
    if (!part || known !== undefined) return known ?? false
    const isWritten = this.draft.attemptNow(`The measure '${full}'`, part.place, () =>
      opened(full, this, () => this.#one(full, object, part)),
    )
    // No aggregate of a formula that is left out remains.
    if (!isWritten)
      for (const key of Object.keys(this.draft.measures)) if (key.startsWith(`${full}: `)) delete this.draft.measures[key]
    this.#written.set(full, isWritten)
    return isWritten
  }

  #one(full: string, object: CubeObject, part: Part): void {
    if (isOn(part, 'multi_stage'))
      throw new LeftOut(
        'a measure of several stages has no place in this import',
        part.at(keyIn(part, 'multi_stage')),
        MULTI_STAGE,
      )
    const type = typeOf(part)
    const window = windowOf(part, type)
    if (FORMULAS.has(type)) {
      if (window)
        throw new LeftOut(
          'a rolling window over a formula has no place in the model',
          part.place,
          'Roll the measures that it reads.',
        )
      this.#formula(full, object, part)
      return
    }
    const aggregation = Object.hasOwn(AGGREGATIONS, type) ? AGGREGATIONS[type] : undefined
    if (aggregation === undefined) throw new LeftOut(`a measure of the type '${type}' has no place in the model`, part.at('type'))
    const entry = { ...this.#aggregate(aggregation, full, object, part), ...this.#filters(object, part) }
    if (!window) {
      this.#add('measures', full, entry, object, part)
      return
    }
    const time = this.#timeOf(object, part)
    const base = `${full}: base`
    this.draft.add('measures', base, { ...entry, hidden: true }, part.place)
    this.#add('metrics', full, { type: 'cumulative', measure: base, timeDimension: time, ...window }, object, part)
    this.draft.lose(
      'rewritten',
      `'${full}' is over '${time}', has no row for a period without data, and ends with the filtered times if no time is selected.`,
      part.place,
      {
        hint: 'Ask with gaps for rows of all periods.',
        path: ['metrics', full],
      },
    )
  }

  #add(kind: 'measures' | 'metrics', full: string, entry: Entry, object: CubeObject, part: Part): void {
    const isHidden = !(publicIn(part) ?? (object.cube.isPublic || this.isShown(full)))
    this.draft.add(kind, full, { ...entry, ...(isHidden && { hidden: true }), ...described(part) }, part.place)
  }

  /** The only time of the cube. Cube takes that of the question. */
  #timeOf(object: CubeObject, part: Part): string {
    const times = [...object.cube.dimensions]
      .filter(([, each]) => typeOf(each) === 'time' && !grainOf(each, object, this))
      .map(([name]) => fullName(object, name))
    const [time, other] = times.filter((name) => Object.hasOwn(this.draft.dimensions, name))
    if (time === undefined) throw new LeftOut(`'${object.cube.name}' has no time for its window`, part.place)
    if (other !== undefined)
      throw new LeftOut(
        `its window may be over ${times.join(' or ')}, and a metric of the model is over one time`,
        part.place,
        'Add a cumulative metric for each.',
      )
    return time
  }

  #filters(object: CubeObject, part: Part): Entry {
    const filters = part.parts('filters').map((each) => ({
      expression: expressionOf(each.needed('sql'), object, rowReading(this), this, 'boolean'),
    }))
    return filters.length > 0 ? { filters } : {}
  }

  #aggregate(aggregation: string, full: string, object: CubeObject, part: Part): Entry {
    const sql = part.text('sql')
    if (sql === undefined) {
      if (aggregation !== 'count') throw new LeftOut("'sql' is missing", part.place, 'Add sql.')
      return { aggregation, expression: '1', anchor: object.cube.name }
    }
    const read = new Set<CubeObject>()
    const rows = rowReading(this, (each) => read.add(each))
    const expression = expressionOf(sql, object, rows, this, NUMBERS.has(aggregation) ? 'number' : undefined)
    this.draft.noteDivision(expression, full, part.at('sql'))
    return { aggregation, ...inputOf(expression, object, read) }
  }

  /** A formula over measures, and aggregates that are written in it. */
  #formula(full: string, object: CubeObject, part: Part): void {
    if (part.parts('filters').length > 0)
      throw new LeftOut('its filters reach other measures', part.at('filters'), 'Filter the measures that it reads.')
    const parts: Entry[] = []
    const expression = expressionOf(
      part.needed('sql'),
      object,
      {
        column: (_object, code) => {
          throw new LeftOut(
            `'${code}' is a column, and no measure`,
            part.at('sql'),
            'Aggregate it, or write the measure in braces.',
          )
        },
        member: ({ object: owner, member }) => {
          if (!owner.cube.measures.has(member)) throw new LeftOut(`'${member}' is no measure`, part.at('sql'), 'Aggregate it.')
          return `{[${this.measure(owner, member)}]}`
        },
        call: (call, write) => {
          const aggregate = this.#inside(call, object, part, write)
          if (!aggregate) return undefined
          parts.push(aggregate)
          return `{[${full}: ${parts.length}]}`
        },
      },
      this,
    )
    if (!expression.includes('{[')) throw new LeftOut('it has no aggregate and reads no measure', part.at('sql'))
    this.draft.noteDivision(expression, full, part.at('sql'))
    const [only] = parts
    if (parts.length === 1 && only && expression === `{[${full}: 1]}`) {
      this.#add('measures', full, only, object, part)
      return
    }
    for (const [at, each] of parts.entries())
      this.draft.add('measures', `${full}: ${at + 1}`, { ...each, hidden: true }, part.place)
    this.#add('metrics', full, { expression }, object, part)
  }

  #inside(call: FunctionCall, object: CubeObject, part: Part, write: Write): Entry | undefined {
    const aggregation = Object.hasOwn(INSIDE, call.name) ? INSIDE[call.name] : undefined
    if (aggregation === undefined) return undefined
    if (call.isOdd || call.order.length > 0)
      throw new LeftOut(`'${call.name}' with a window or a filter is no formula`, part.at('sql'))
    if (call.isStar) return { aggregation: 'count', expression: '1', anchor: object.cube.name }
    const [value, more] = call.args
    if (value === undefined || more !== undefined) throw new LeftOut(`'${call.name}' has not one value`, part.at('sql'))
    const isDistinct = call.isDistinct && aggregation !== 'min' && aggregation !== 'max'
    if (isDistinct && aggregation !== 'count')
      throw new LeftOut(`'${call.name}' of distinct values has no place in this import`, part.at('sql'))
    const read = new Set<CubeObject>()
    const rows = rowReading(this, (each) => read.add(each))
    const expression = this.#rows(value, write, rows, object, part, NUMBERS.has(aggregation))
    return { aggregation: isDistinct ? 'count_distinct' : aggregation, ...inputOf(expression, object, read) }
  }

  /** The value of an aggregate inside of a formula: its names are columns. */
  #rows(
    value: unknown,
    write: Write,
    rows: ReturnType<typeof rowReading>,
    object: CubeObject,
    part: Part,
    isNumber: boolean,
  ): string {
    return write(value, isNumber ? 'number' : undefined, readingInside(part.needed('sql'), object, rows, this))
  }
}

const MULTI_STAGE = 'Write it by hand: a grain, a filter context, an aggregate of aggregates or a comparison of periods.'

const FORMULAS = new Set('number string boolean time'.split(' '))

const AGGREGATIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['count', 'sum', 'avg', 'min', 'max', 'count_distinct'].map((name) => [name, name])),
  ...{ count_distinct_approx: 'approx_count_distinct', running_total: 'sum' },
}

/** Aggregates that SQL of a formula has. */
const INSIDE: Readonly<Record<string, string>> = Object.fromEntries(
  'sum count avg min max median stddev stddev_samp stddev_pop variance var_samp var_pop'.split(' ').map((name) => [name, name]),
)

/** A minimum of Cube is a number, unless a dimension gives its column another type. */
const NUMBERS = new Set('sum avg min max median stddev stddev_samp stddev_pop variance var_samp var_pop'.split(' '))

function inputOf(expression: string, { cube }: CubeObject, read: ReadonlySet<CubeObject>): Entry {
  const [, object, column] = /^\{\[([^\][]*)\]\.\[([^\][]*)\]\}$/.exec(expression) ?? []
  if (column !== undefined && object === cube.name) return { columns: [{ dataObject: object, column }] }
  const isOwn = read.size > 0 && [...read].every((each) => each.cube === cube)
  return { expression, ...(!isOwn && { anchor: cube.name }) }
}
