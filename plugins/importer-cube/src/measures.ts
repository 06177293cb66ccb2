/** Measures → measures, formulas over them, and running values. */
import {
  type Draft,
  type Entry,
  fullName,
  isOfNumbers,
  LeftOut,
  MeasureWriter,
  type NameReading,
  type Part,
  type SqlReader,
} from '@grainline/importer-dbt/foreign'
import { grainOf, rowsOf } from './columns.js'
import { type CubeObject, WORDS } from './context.js'
import { typeOf } from './cubes.js'
import { publicIn } from './keys.js'
import { described } from './objects.js'
import { expressionOf } from './references.js'
import { windowOf } from './rolling-window.js'
import { shiftOf } from './time-shift.js'

export class Measures extends MeasureWriter<CubeObject> {
  constructor(
    objects: ReadonlyMap<string, CubeObject>,
    draft: Draft,
    sql: SqlReader,
    private readonly isShown: (name: string) => boolean,
  ) {
    super(objects, WORDS, draft, sql)
  }

  protected override expression(object: CubeObject, part: Part, reading: NameReading<CubeObject>): string {
    return expressionOf(part, object, reading, this)
  }

  protected override rows(note: (object: CubeObject) => void): NameReading<CubeObject> {
    return rowsOf(this, note)
  }

  protected override one(full: string, object: CubeObject, part: Part): void {
    const shift = shiftOf(part)
    if (shift) {
      this.#shifted(full, object, part, shift)
      return
    }
    const type = typeOf(part)
    const window = windowOf(part, type)
    if (FORMULAS.has(type)) {
      if (window)
        throw new LeftOut(
          'a rolling window over a formula has no place in the model',
          part.place,
          'Roll the measures that it reads.',
        )
      if (part.parts('filters').length > 0)
        throw new LeftOut('its filters reach other measures', part.at('filters'), 'Filter the measures that it reads.')
      this.formula(full, object, part)
      return
    }
    const aggregation = Object.hasOwn(AGGREGATIONS, type) ? AGGREGATIONS[type] : undefined
    if (aggregation === undefined) throw new LeftOut(`a measure of the type '${type}' has no place in the model`, part.at('type'))
    const entry = { ...this.#aggregate(aggregation, full, object, part), ...this.#filters(object, part) }
    if (!window) {
      this.add('measures', full, entry, object, part)
      return
    }
    const time = this.#timeOf(object, part)
    const base = `${full}: base`
    this.draft.add('measures', base, { ...entry, hidden: true }, part.place)
    this.add('metrics', full, { type: 'cumulative', measure: base, timeDimension: time, ...window }, object, part)
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

  protected override add(kind: 'measures' | 'metrics', full: string, entry: Entry, object: CubeObject, part: Part): void {
    const isHidden = !(publicIn(part) ?? (object.cube.isPublic || this.isShown(full)))
    this.draft.add(kind, full, { ...entry, ...(isHidden && { hidden: true }), ...described(part) }, part.place)
  }

  /** Measures as they were an interval before. */
  #shifted(full: string, object: CubeObject, part: Part, { offset, time }: NonNullable<ReturnType<typeof shiftOf>>): void {
    const expression = this.expression(object, part, {
      column: (_object, code) => {
        throw new LeftOut(`'${code}' is a column, and no measure`, part.at('sql'), 'Name a measure in braces.')
      },
      member: ({ owner, member }) => `{[${this.measure(owner, member)}]}`,
    })
    const timeDimension = time === undefined ? this.#timeOf(object, part) : this.#timeNamed(time, object, part)
    this.draft.noteDivision(expression, full, part.at('sql'))
    const periodOverPeriod = { timeDimension, ...offset, comparison: 'previousValue' }
    this.add('metrics', full, { type: 'period_over_period', expression, periodOverPeriod }, object, part)
    this.draft.lose(
      'rewritten',
      `'${full}' is over '${timeDimension}', and needs it in the query, or its first and last day. It has no row for a period without data of its own.`,
      part.place,
      { hint: 'Ask with gaps for rows of all periods.', path: ['metrics', full] },
    )
  }

  #timeNamed(written: string, object: CubeObject, part: Part): string {
    const name = written.includes('.') ? written.replace(/^CUBE\./, `${object.name}.`) : fullName(object, written)
    if (!Object.hasOwn(this.draft.dimensions, name)) throw new LeftOut(`there is no dimension '${written}'`, part.place)
    return name
  }

  /** The only time of the cube. Cube takes that of the question. */
  #timeOf(object: CubeObject, part: Part): string {
    const times = [...object.cube.dimensions]
      .filter(([, each]) => typeOf(each) === 'time' && !grainOf(each, object, this))
      .map(([name]) => fullName(object, name))
    const [time, other] = times.filter((name) => Object.hasOwn(this.draft.dimensions, name))
    if (time === undefined) throw new LeftOut(`'${object.name}' has no time for its window`, part.place)
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
      expression: expressionOf(each, object, rowsOf(this), this, 'boolean'),
    }))
    if (filters.length === 0) return {}
    this.draft.noteFiltered('Cube', part.at('filters'))
    return { filters }
  }

  #aggregate(aggregation: string, full: string, object: CubeObject, part: Part): Entry {
    if (!part.has('sql')) {
      if (aggregation !== 'count') throw new LeftOut("'sql' is missing", part.place, 'Add sql.')
      return { aggregation, expression: '1', anchor: object.name }
    }
    const use = isOfNumbers(aggregation) ? 'number' : undefined
    const { expression, entry } = this.input(object, (rows) => expressionOf(part, object, rows, this, use))
    this.draft.noteDivision(expression, full, part.at('sql'))
    return { aggregation, ...entry }
  }
}

const FORMULAS = new Set('number string boolean time'.split(' '))

const AGGREGATIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['count', 'sum', 'avg', 'min', 'max', 'count_distinct'].map((name) => [name, name])),
  ...{ count_distinct_approx: 'approx_count_distinct', running_total: 'sum' },
}
