import { isNumeric } from '../data-type.js'
import type { UnitDocument } from '../document.js'
import type { Segments } from '../parse/locate.js'
import type { Column } from '../semantic-model.js'
import { parseUnit, UnitError } from '../unit/parse-unit.js'
import { named, type Unit, type UnitSymbol, unitOf } from '../unit/unit.js'
import { type Context, knowsColumn, knowsObject, splitReference } from './context.js'

/** Where a unit is declared. */
interface UnitPlace {
  /** Of the field that has it. */
  readonly segments: Segments
  /** The object whose columns may be named without it. */
  readonly owner: string | undefined
  /** A metric has no rows, and so no column. */
  readonly ofMetric?: true
}

/** A declared unit; `undefined` if there is none, or if it has an error, which is reported. */
export function readUnit(entry: UnitDocument | undefined, place: UnitPlace, context: Context): Unit | undefined {
  if (entry === undefined) return undefined
  const reader = new UnitReader(place, context)
  return typeof entry === 'string' ? reader.text(entry) : reader.record(entry)
}

/** The unit of a column of numbers. */
export function readColumnUnit(
  entry: UnitDocument | undefined,
  { object, column: { name, type } }: { readonly object: string; readonly column: Pick<Column, 'name' | 'type'> },
  context: Context,
): Unit | undefined {
  const segments = ['dataObjects', object, 'columns', name]
  if (entry === undefined || isNumeric(type)) return readUnit(entry, { segments, owner: object }, context)
  context.faults.error('INVALID_UNIT', [...segments, 'unit'], `'${name}' is ${type.kind}; a unit is for numeric columns`, {
    onKey: true,
  })
  return undefined
}

/** The unit of a parameter, which is a plain name or a product of such. */
export function plainUnit(text: string | undefined, segments: Segments, { faults }: Pick<Context, 'faults'>): Unit | undefined {
  if (text === undefined) return undefined
  try {
    const reference = (inside: string): never => {
      throw new UnitError(`'{${inside}}' names a column or a parameter, and the unit of a parameter is a name such as EUR`)
    }
    return parseUnit<UnitSymbol>(text, { name: named, reference })
  } catch (error) {
    if (!(error instanceof UnitError)) throw error
    faults.error('INVALID_UNIT', [...segments, 'unit'], `${error.message}; write a unit such as EUR, km or EUR/km`)
    return undefined
  }
}

class UnitReader {
  readonly #segments: Segments
  /** A name in the text that was reported as an error. */
  #hasFault = false

  constructor(
    private readonly place: UnitPlace,
    private readonly context: Context,
  ) {
    this.#segments = [...place.segments, 'unit']
  }

  text(text: string): Unit | undefined {
    try {
      const unit = parseUnit<UnitSymbol | undefined>(text, {
        name: named,
        reference: (inside) => this.#found(this.#reference(inside)),
      })
      return this.#hasFault ? undefined : (unit as Unit)
    } catch (error) {
      if (!(error instanceof UnitError)) throw error
      this.#fault(`${error.message}; write a unit such as EUR, EUR/km or kg·m/s^2, or a column as in 'EUR/{Currency}'`)
      return undefined
    }
  }

  record({ column, dataObject, parameter }: Exclude<UnitDocument, string>): Unit | undefined {
    if ((column === undefined) === (parameter === undefined)) {
      this.#fault("A unit is a text such as EUR, or has exactly one of 'column' and 'parameter'")
      return undefined
    }
    const symbol =
      parameter === undefined
        ? this.#column(dataObject ?? this.place.owner, column!, [...this.#segments, 'column'])
        : this.#parameter(parameter)
    return symbol && unitOf(symbol)
  }

  #found<S>(symbol: S | undefined): S | undefined {
    this.#hasFault ||= symbol === undefined
    return symbol
  }

  #reference(inside: string): UnitSymbol | undefined {
    if (inside.startsWith('@')) return this.#parameter(inside.slice(1).trim())
    const parts = splitReference(inside)
    if (parts) return this.#column(parts.object ?? this.place.owner, parts.name, this.#segments)
    this.#fault(`'{${inside}}' names no column; write {Column}, {[Object].[Column]} or {@Parameter}`)
    return undefined
  }

  #column(object: string | undefined, column: string, segments: Segments): UnitSymbol | undefined {
    if (this.place.ofMetric) {
      this.#fault(
        'A metric has no rows, so its unit is no column; declare the unit by column on the columns or measures it is made of',
      )
      return undefined
    }
    if (object === undefined) {
      this.#fault(`'${column}' names no data object; write { dataObject: Object, column: ${column} } or {[Object].[${column}]}`)
      return undefined
    }
    if (!knowsObject(object, segments, this.context)) return undefined
    return knowsColumn({ object, column }, segments, this.context) ? { kind: 'column', object, column } : undefined
  }

  #parameter(name: string): UnitSymbol | undefined {
    const { document, parameters, faults, isBroken } = this.context
    const known = parameters.get(name)
    if (!known) {
      // An error in a parameter is reported where it is declared.
      const isDeclared = document.parameters && Object.hasOwn(document.parameters, name) && isBroken(['parameters', name])
      const message = `'${name}' is not a parameter of this model`
      if (!isDeclared) faults.unknown('INVALID_UNIT', this.#segments, { message, name, known: parameters.keys() })
      return undefined
    }
    if (known.type.kind === 'string' && !known.list) return { kind: 'parameter', name }
    this.#fault(`The parameter '${name}' is ${known.list ? 'a list' : known.type.kind}; the name of a unit is one text`)
    return undefined
  }

  #fault(message: string): void {
    this.context.faults.error('INVALID_UNIT', this.#segments, message)
  }
}
