/** The view that a principal has of a model: which policies bind it, with its values in them. */

import { hiddenName } from '../hidden-name.js'
import { sha256 } from '../sha256.js'
import { ADMIN_ROLE, PRINCIPAL_NAME, restrictedModel } from './access.js'
import type { RelativeDay } from './calendar-table.js'
import { canonical } from './content-hash.js'
import { heldValues, valuesOf } from './held-values.js'
import { hiddenByAll } from './hidden-fields.js'
import { withoutFields } from './hide.js'
import { type GivenValue, isListed, isReference, type ModelParameter, type ParameterValues, parameterFault } from './parameter.js'
import type { Held, HiddenNames, ModelAccess, ModelCondition, RowPolicy, SemanticModel } from './semantic-model.js'

/** What decides the view of a principal. */
export interface Rights {
  readonly name: string | undefined
  readonly roles: readonly string[]
  readonly attributes: Readonly<Record<string, unknown>>
}

/** What of the rights counts for a model; principals for whom it is equal have one view. */
export interface Bound {
  readonly policies: readonly RowPolicy[]
  /** What is hidden, and by which of the rules. */
  readonly hidden: HiddenNames
  readonly hiddenBy: readonly number[]
  readonly values: ReadonlyMap<string, GivenValue>
  readonly missing: readonly string[]
  readonly withholdsSql: boolean
  /** An administrator whom nothing binds sees the rules themselves. */
  readonly seesRules: boolean
}

/** `dayOf` is a day that the present decides, as a date. */
export function boundBy(access: ModelAccess, rights: Rights, dayOf: (day: RelativeDay) => string): Bound {
  const policies = access.rows.filter(({ unless }) => !unless.some((role) => rights.roles.includes(role)))
  const rules = [...access.fields.entries()].filter(([, { unless }]) => !unless.some((role) => rights.roles.includes(role)))
  const isBound = policies.length + rules.length > 0
  const read = [...new Set(policies.flatMap(({ reads }) => reads))].sort()
  const found = read.map((name) => {
    const day = access.relatives.get(name)
    return [name, day ? dayOf(day) : givenOf(name, access, rights)] as const
  })
  const values = found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return {
    policies,
    values: new Map(values),
    missing: found.flatMap(([name, value]) => (value === undefined ? [name] : [])),
    hidden: hiddenByAll([...rules.map(([, rule]) => rule), ...policies].map(({ hidden }) => hidden)),
    hiddenBy: rules.map(([i]) => i),
    withholdsSql: isBound && !access.sql.some((role) => rights.roles.includes(role)),
    seesRules: !isBound && rights.roles.includes(ADMIN_ROLE),
  }
}

/** The text by which a view is kept, with what counts of the rights. */
export const keyOfBound = ({ policies, hiddenBy, values, missing, withholdsSql, seesRules }: Bound): string =>
  JSON.stringify([policies.map(({ name }) => name), hiddenBy, [...values], missing, withholdsSql, seesRules])

/** Views by what decides their plans, for principals with other values. */
export type SharedViews = Map<string, SemanticModel>

/**
 * The model as these principals see it. It does not show the rules, and its hash differs from that of the model. `secret` is what nobody outside the process
 * knows.
 */
export function viewFor(model: SemanticModel, bound: Bound, secret: string, shared: SharedViews = new Map()): SemanticModel {
  if (bound.seesRules || !model.access) return model
  const held = heldValues(model, model.access, bound)
  if (held.size === 0) return newView(model, bound, secret, held)
  const key = keyOfShared(bound, held)
  const general = shared.get(key) ?? newView(model, bound, secret, held)
  shared.set(key, general)
  const view = withHeld(general, valuesOf(held, bound), hashOf(model, keyOfBound(bound)))
  SHARED.set(view, general)
  return view
}

const SHARED = new WeakMap<SemanticModel, SemanticModel>()

/** The view whose plans are those of this one, whatever values its principal has; `undefined` if there is none, or if the model was changed for a question. */
export const sharedView = (view: SemanticModel): SemanticModel | undefined => SHARED.get(view)

const keyOfShared = ({ values, ...bound }: Bound, held: ReadonlyMap<string, Held>): string => {
  const rest = new Map([...values].filter(([name]) => !held.has(name)))
  return JSON.stringify([keyOfBound({ ...bound, values: rest }), [...held]])
}

function withHeld(view: SemanticModel, values: ParameterValues, contentHash: string): SemanticModel {
  const { restriction, hiding } = view
  return {
    ...view,
    contentHash,
    ...(restriction && { restriction: { ...restriction, values } }),
    ...(hiding && { hiding: { ...hiding, computed: withHeld(hiding.computed, values, contentHash) } }),
  }
}

const hashOf = ({ contentHash }: SemanticModel, bound: string): string => {
  const hash = sha256()
  hash.update(canonical([contentHash, bound]))
  return hash.hex()
}

function newView(model: SemanticModel, bound: Bound, secret: string, held: ReadonlyMap<string, Held>): SemanticModel {
  // Tests state numbers of the whole data.
  const { access: _rules, tests: _tests, ...kept } = model.document
  const isBound = bound.policies.length + bound.hiddenBy.length > 0
  // A table holds rows and fields of everybody.
  const { rollups: _rollups, ...unrolled } = kept
  const document = isBound ? unrolled : kept
  const rollups: SemanticModel['rollups'] = isBound ? new Map() : model.rollups
  const rows = bound.policies.map(({ dataObject, condition, label }) => ({
    dataObject,
    condition: withValues(condition, bound.values, held),
    label,
  }))
  const restriction = { rows, missing: bound.missing, withholdsSql: bound.withholdsSql, held }
  const contentHash = hashOf(model, held.size === 0 ? keyOfBound(bound) : keyOfShared(bound, held))
  const view = restrictedModel({ ...model, document, rollups, access: undefined, contentHash }, restriction)
  const { objects, columns, fields, segments } = bound.hidden
  if (objects.size + columns.size + fields.size + segments.size === 0) return view
  return withoutFields(view, bound.hidden, (name) => {
    const digest = sha256()
    digest.update(JSON.stringify([secret, model.contentHash, name]))
    return hiddenName(digest.hex())
  })
}

/** A value of exactly the declared type: a text is no number. One value where a list is declared is a list of one. */
function givenOf(name: string, { attributes }: ModelAccess, rights: Rights): GivenValue | undefined {
  if (name === PRINCIPAL_NAME) return rights.name
  const declared = attributes.get(name)
  if (!declared) return undefined
  const given = Object.hasOwn(rights.attributes, name) ? rights.attributes[name] : undefined
  if (given === undefined || given === null) return declared.default ?? undefined
  const value = declared.list && !Array.isArray(given) ? [given] : given
  return fits(declared, value) ? value : undefined
}

function fits(declared: ModelParameter, value: unknown): value is GivenValue {
  if (declared.list !== Array.isArray(value)) return false
  const isOfKind = [value].flat().every((item) => item !== null && typeof item === kindOf(declared))
  return isOfKind && parameterFault(declared, value) === undefined
}

function kindOf({ type }: ModelParameter): 'boolean' | 'number' | 'string' {
  if (type.kind === 'boolean') return 'boolean'
  return type.kind === 'int' || type.kind === 'float' || type.kind === 'decimal' ? 'number' : 'string'
}

/** The condition with the values of the principal, but those that are held. One whose value is missing is never used: the view has no answers. */
function withValues(
  condition: ModelCondition,
  values: ReadonlyMap<string, GivenValue>,
  held: ReadonlyMap<string, Held>,
): ModelCondition {
  if (condition.kind === 'group' || condition.kind === 'exists')
    return { ...condition, filters: condition.filters.map((member) => withValues(member, values, held)) }
  if (condition.kind !== 'leaf' || !condition.values.some(isReference)) return condition
  const settled = condition.values.flatMap((item): typeof condition.values => {
    if (!isReference(item) || held.has(item.parameter)) return [item]
    const value = values.get(item.parameter)
    return value === undefined ? [] : isListed(value) ? value : [value]
  })
  return { ...condition, values: settled }
}
