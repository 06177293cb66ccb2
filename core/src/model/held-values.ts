/** Which values of access rules no plan depends on, so that principals with different ones share what is compiled. */

import { PRINCIPAL_NAME } from './access.js'
import type { HeldForm } from './expression/ast.js'
import type { Operator } from './operators.js'
import { type GivenValue, isListed, isReference, type ParameterValues } from './parameter.js'
import type { FilterValue, Held, ModelAccess, ModelCondition, RowPolicy, SemanticModel } from './semantic-model.js'

interface Given {
  readonly policies: readonly RowPolicy[]
  readonly values: ReadonlyMap<string, GivenValue>
}

/** Of a policy with these operators the plan is the same for every value. */
const HELD_OPERATORS: ReadonlySet<Operator> = new Set(['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte'])

/**
 * Texts and integers that are compared with columns of just that type. Days change ranges, decimals the digits of the plan, and where units are in columns a value says which unit
 * an answer has: those stay values.
 */
export function heldValues(model: SemanticModel, access: ModelAccess, { policies, values }: Given): ReadonlyMap<string, Held> {
  const held = new Map<string, Held>()
  if (hasUnitsInColumns(model)) return held
  const leaves = policies.flatMap(({ condition }) => leavesIn(condition))
  for (const [name, value] of values) {
    const kind = name === PRINCIPAL_NAME ? 'string' : access.attributes.get(name)?.type.kind
    if (kind !== 'string' && kind !== 'int') continue
    const readers = leaves.filter((leaf) => leaf.values.some((item) => isReference(item) && item.parameter === name))
    const isHeld = readers.every(
      ({ column: { object, column }, operator, grain, values: compared }) =>
        grain === undefined &&
        HELD_OPERATORS.has(operator) &&
        (compared.length === 1 || operator === 'in' || operator === 'not_in') &&
        compared.every((item) => (isReference(item) ? item.parameter === name : canBeWritten(item, kind))) &&
        model.dataObjects.get(object)?.columns.get(column)?.type.kind === kind,
    )
    const items = isListed(value) ? value : [value]
    const [first] = readers
    if (!first || !isHeld || !items.every((item) => canBeWritten(item, kind))) continue
    const type = kind === 'string' ? { kind: 'string' as const } : { kind: 'int' as const }
    held.set(name, { type, count: isListed(value) ? items.length : undefined, form: formOf(items) })
  }
  return held
}

/** The values of these, as a statement has them. */
export const valuesOf = (held: ReadonlyMap<string, Held>, { values }: Pick<Given, 'values'>): ParameterValues =>
  new Map([...values].filter(([name]) => held.has(name)))

type Leaf = ModelCondition & { readonly kind: 'leaf' }

function leavesIn(condition: ModelCondition): readonly Leaf[] {
  if (condition.kind === 'group' || condition.kind === 'exists') return condition.filters.flatMap(leavesIn)
  return condition.kind === 'leaf' ? [condition] : []
}

/** With the flag `u`, a pair of surrogates is one character and does not match. */
const REFUSED = /\p{Surrogate}|\0/u

/** What a statement cannot contain is refused when it is compiled. */
const canBeWritten = (value: FilterValue, kind: 'string' | 'int'): boolean =>
  kind === 'string' ? typeof value === 'string' && !REFUSED.test(value) : Number.isSafeInteger(value)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function formOf(values: readonly FilterValue[]): HeldForm {
  const texts = values.map(String)
  if (texts.length > 0 && texts.every((text) => UUID.test(text))) return 'uuid'
  return texts.some((text) => text.endsWith(' ')) ? 'any' : 'trimmed'
}

const hasUnitsInColumns = ({ dataObjects }: SemanticModel): boolean =>
  [...dataObjects.values()].some(({ columns }) =>
    [...columns.values()].some(({ unit }) => unit?.some(({ of }) => of.kind === 'column')),
  )
