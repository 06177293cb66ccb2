import { reachable } from '../graph.js'
import type { Measure } from '../semantic-model.js'
import { hasUnits, ModelUnits, type UnitConflict, type UnitOwner, type UnitsOf } from '../unit/model-units.js'
import { type Unit, unitInWords } from '../unit/unit.js'
import type { Context } from './context.js'
import { forwardGraph } from './join-graph.js'

/** Reports numbers of different units that meet in a definition, and columns that cannot name a unit. */
export function* checkUnits(model: UnitsOf, context: Context): Generator<undefined> {
  if (!hasUnits(model)) return
  yield* checkColumnsOfUnits(model, context)
  yield* reporting(model, context).all()
}

/** Reports numbers of different units that meet in some of the measures and metrics. */
export function checkUnitsOf(names: Iterable<string>, model: UnitsOf, context: Context): void {
  if (!hasUnits(model)) return
  const units = reporting(model, context)
  for (const name of names) units.ofField(name)
}

/** The units of a model; each conflict is reported once. */
function reporting(model: UnitsOf, context: Context): ModelUnits {
  const reported = new Set<string>()
  return new ModelUnits(model, (conflict) => {
    const key = JSON.stringify([conflict.of, conflict.isDeclared])
    if (reported.has(key)) return
    reported.add(key)
    report(conflict, context)
  })
}

function report({ of, units: [a, b], isDeclared }: UnitConflict, { document, faults }: Context): void {
  const message = isDeclared
    ? `'${of.name}' declares ${unitInWords(a)}, but what it is computed from is ${unitInWords(b)}; correct one of them, or multiply by a rate whose unit is ${unitInWords(a)} per ${unitInWords(b)}`
    : `'${of.name}' adds, compares or chooses between ${unitInWords(a)} and ${unitInWords(b)}; convert one of them first, by a product with a rate`
  faults.error('UNIT_MISMATCH', isDeclared ? [...segmentsOf(of), 'unit'] : [...segmentsOf(of), ...keyOf(of, document)], message)
}

const segmentsOf = (of: UnitOwner): readonly string[] =>
  of.kind === 'column' ? ['dataObjects', of.object, 'columns', of.name] : [`${of.kind}s`, of.name]

/** The key with the formula, if it is written as one. */
function keyOf(of: UnitOwner, document: Context['document']): readonly string[] {
  const entry =
    of.kind === 'column' ? document.dataObjects?.[of.object]?.columns?.[of.name] : document[`${of.kind}s` as const]?.[of.name]
  return entry?.expression === undefined ? [] : ['expression']
}

/** A unit by column is named by a text, of an object that each row reaches. */
function* checkColumnsOfUnits({ dataObjects, measures }: UnitsOf, context: Context): Generator<undefined> {
  const { forward } = forwardGraph(
    [...dataObjects.values()].flatMap(({ joins }) => joins),
    true,
  )
  const check = (unit: Unit, from: string | undefined, segments: readonly string[]): void => {
    for (const { of } of unit) {
      if (of.kind !== 'column') continue
      const name = `${of.object}.${of.column}`
      const type = dataObjects.get(of.object)?.columns.get(of.column)?.type.kind
      const fault =
        type !== undefined && type !== 'string'
          ? `'${name}' is ${type}; the name of a unit is a text`
          : from !== undefined && from !== of.object && !reachable(from, forward).has(of.object)
            ? `'${from}' does not reach '${of.object}' by joins to one row, so a row of it has no or several values of '${name}'`
            : undefined
      if (fault !== undefined) context.faults.error('INVALID_UNIT', [...segments, 'unit'], fault)
    }
  }
  for (const { name: object, columns } of dataObjects.values())
    for (const { name, unit } of columns.values()) {
      if (unit) check(unit, object, ['dataObjects', object, 'columns', name])
      yield
    }
  for (const { name, unit } of measures.values() as Iterable<Measure>) if (unit) check(unit, undefined, ['measures', name])
}
