/** The columns of a query's answer, gathered while a SELECT is read. */

import { type DimensionJson, TIME_GRAINS } from '@grainline/core/language'
import { attempt } from '../attempt.js'
import { readExpression } from '../expression.js'
import { bodyOf, type Node } from '../grammar/node.js'
import { nests } from '../model-fields.js'
import { isAbout, type ModelRelation, placeIn, readsOf } from '../model-relation.js'
import { isLiteral, type NameExpr, type NameLeaf } from '../reader.js'
import { expressionText } from './conditions.js'

interface Dimension {
  readonly label: string
  readonly json: DimensionJson
  /** The dimensions of the model that it reads. */
  readonly reads: readonly string[]
}

/** The parts of an item of a SELECT. */
export type Role = 'measure' | 'dimension' | 'column' | 'rows'

export class SelectColumns {
  /** By their meaning. */
  readonly #dimensions = new Map<string, Dimension>()
  readonly #measures: string[] = []
  readonly #fields: string[] = []
  readonly #values: OwnQuery[] = []

  constructor(private readonly relation: ModelRelation) {}

  /** The dimensions alone, to which others may be added. */
  ofDimensions(): SelectColumns {
    const copy = new SelectColumns(this.relation)
    for (const [identity, dimension] of this.#dimensions) copy.#dimensions.set(identity, dimension)
    return copy
  }

  get isEmpty(): boolean {
    return this.#dimensions.size + this.#measures.length + this.#fields.length === 0
  }
  get dimensions(): readonly DimensionJson[] {
    return [...this.#dimensions.values()].map((dimension) => dimension.json)
  }
  get dimensionLabels(): readonly string[] {
    return [...this.#dimensions.values()].map((dimension) => dimension.label)
  }
  /** The dimensions of the model that the groups read. */
  get dimensionsRead(): readonly string[] {
    return [...new Set([...this.#dimensions.values()].flatMap((dimension) => dimension.reads))]
  }
  get measures(): readonly string[] {
    return this.#measures
  }
  get fields(): readonly string[] {
    return this.#fields
  }
  get values(): readonly OwnQuery[] {
    return this.#values
  }

  /** `rows` are expressions that need finished rows. */
  roleOf(node: Node): Role {
    if (isAbout(node, this.relation)) return 'rows'
    const reads = readsOf(node, this.relation)
    if (reads.length === 0) return 'rows'
    const bare = this.#bare(node)
    if (bare) return bare.role
    return reads.every((each) => each.role === 'dimension') ? 'dimension' : 'rows'
  }

  /** The label of a column, which is added if it is new. */
  add(node: Node, role: Exclude<Role, 'rows'>, wanted?: string): string {
    if (role === 'dimension') return this.#addDimension(node, wanted)
    const { text } = this.#bare(node)!
    const list = role === 'measure' ? this.#measures : this.#fields
    if (!list.includes(text)) list.push(text)
    return text
  }

  addValues(own: OwnQuery): void {
    this.#values.push(own)
  }

  /** A measure that the statement does not show itself. */
  need(measure: string): void {
    if (!this.#measures.includes(measure)) this.#measures.push(measure)
  }

  /** The label of the column that the expression is; `undefined` when it is none. */
  labelOf(node: Node): string | undefined {
    const bare = this.#bare(node)
    if (bare?.role === 'measure') return this.#measures.find((each) => each === bare.text)
    if (bare?.role === 'column') return this.#fields.find((each) => each === bare.text)
    const identity = this.#identityIfAny(node)
    return identity === undefined ? undefined : this.#dimensions.get(identity)?.label
  }

  /** Throws where a query cannot express it. */
  identityOf(node: Node): string {
    return JSON.stringify(dimensionOf(readExpression(node, this.relation), this.relation, node))
  }

  #addDimension(node: Node, wanted: string | undefined): string {
    const found = dimensionOf(readExpression(node, this.relation), this.relation, node)
    const identity = JSON.stringify(found)
    const known = this.#dimensions.get(identity)
    if (known) return known.label
    const label = found.kind === 'name' ? found.text : this.#freeName(wanted)
    const json = found.kind === 'name' ? label : { expression: found.text, as: label }
    const reads = readsOf(node, this.relation).map(({ text }) => text)
    this.#dimensions.set(identity, { label, json, reads })
    return label
  }

  /** A name that no field has: if possible, that of the statement. */
  #freeName(wanted: string | undefined): string {
    const { dimensions, measures, metrics } = this.relation.named.model
    const taken = new Set(
      [...dimensions.keys(), ...measures.keys(), ...metrics.keys(), ...this.dimensionLabels].map((name) => name.toLowerCase()),
    )
    let name = wanted ?? 'expression'
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted ?? 'expression'} ${n}`
    return name
  }

  #identityIfAny(node: Node): string | undefined {
    if (this.roleOf(node) !== 'dimension') return undefined
    return attempt(() => this.identityOf(node))
  }

  /** The field that a node names directly. */
  #bare(node: Node): NameLeaf | undefined {
    const column = bodyOf(node, 'ColumnRef')
    if (column) return this.relation.name(column)
    const call = bodyOf(node, 'FuncCall')
    return call && this.relation.measure(call)
  }

  place(node: Node) {
    return placeIn(this.relation, node)
  }
}

/** A dimension by name, with its grain where the expression is a bucket of it; else the expression. */
function dimensionOf(
  expr: NameExpr,
  relation: ModelRelation,
  node: Node,
): { readonly kind: 'name' | 'expression'; readonly text: string } {
  if (expr.kind === 'name') return { kind: 'name', text: (expr as NameLeaf).text }
  const bucket = bucketOf(expr, relation)
  return bucket === undefined
    ? { kind: 'expression', text: expressionText(expr, relation, node) }
    : { kind: 'name', text: bucket }
}

/** `Name:grain` of `date_trunc('grain', "Name")`, if the buckets of the declared grain nest in these. */
function bucketOf(expr: NameExpr, { named: { model } }: ModelRelation): string | undefined {
  if (expr.kind !== 'call' || expr.name !== 'date_trunc') return undefined
  const [unit, moment] = expr.args as readonly [NameExpr, NameExpr]
  const grain = isLiteral(unit) ? TIME_GRAINS.find((each) => each === unit.value) : undefined
  const dimension = moment.kind === 'name' ? model.dimensions.get((moment as NameLeaf).text) : undefined
  if (!grain || !dimension) return undefined
  if (dimension.timeGrain === grain) return dimension.name
  return nests(dimension.timeGrain, grain) ? `${dimension.name}:${grain}` : undefined
}

/** An item of a SELECT that needs a separate query: an aggregate of a dimension, or a measure under a condition. */
export type OwnQuery = { readonly node: Node; readonly filter: Node | undefined } & (
  | { readonly argument: Node }
  | { readonly measure: NameLeaf; readonly isCount: boolean }
)
