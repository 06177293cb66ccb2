import { fail } from '../errors.js'
import { entryOf, firstOf, lastOf, type NonEmpty } from '../invariant.js'
import type { DataType } from '../model/data-type.js'
import { INT } from '../model/data-type.js'
import { type ColumnRef, type Expr, mapLeaves } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import { allOf, binary, coalesce, integer, isNotNull, isNull } from '../resolve/expressions.js'
import type { Edge } from '../resolve/join-graph.js'
import { locate, membersFor } from '../resolve/locate.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import {
  columnOf,
  type FieldSource,
  objectOf,
  type ResolvedDimension,
  type Weight,
  type WhereLeaf,
} from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import type { BindContext } from './bind-context.js'
import { madeName } from './block-names.js'
import type { BoundBridge, BoundFrom, BoundTopValues, BridgeRelation, ConnectionWeight, NamedExpr } from './bound-block.js'
import type { Facts } from './facts.js'
import { type Role, Rows } from './rows.js'

interface Bridge {
  readonly node: string
  readonly parent: Bridge | undefined
  /** Where its rows meet those behind it: their root, or for a declared bridge an object that they reach. */
  readonly here: Role
  readonly rows: Rows
  readonly link: readonly Edge[]
  /** Linked by the key of the object behind, which these rows scan themselves. */
  readonly byKey: boolean
  readonly conditions: readonly RowExpr[]
  /** Set when the bridge is a relation of its own; its columns are then read through this alias. */
  readonly alias: string | undefined
  readonly distinct: boolean
  /** Its weight, where each of its rows brings a part of a base row. */
  readonly weight: Weighing | undefined
  readonly exposed: Exposed[]
}

/** What is read of a relation, and the column under which it is read. */
interface Exposed {
  readonly expression: RowExpr
  readonly column: RelationColumn
}

interface Weighing {
  readonly expression: RowExpr
  readonly type: DataType
  /** Rows that read alike are made one, which weighs what they weigh together, under this name. */
  readonly sum: string | undefined
}

/** The rows that a block reads, before anything is read of them. */
export interface Reading {
  readonly base: string
  /** The bridges that fields of this block are read on. */
  readonly bridges: ReadonlySet<string>
  /** Those that must be relations of their own. */
  readonly apart: ReadonlySet<string>
  /** Rows of bridges that read alike are several. */
  readonly fanOut?: boolean
  /** Of the bridges whose rows bring parts of a base row. */
  readonly weights?: readonly Weight[]
  readonly facts?: Facts | undefined
}

/**
 * The rows of a base with its connections: bridge rows joined outward, the base on the left, so that a base row without any connection
 * meets one all-NULL row. Bridges on one chain hang on each other, unrelated ones hang on the base side by side.
 */
export class ConnectedRows {
  readonly base: Rows
  readonly #bridges = new Map<string, Bridge>()
  readonly #facts: Facts | undefined
  readonly #weights: ReadonlyMap<string, string>
  readonly #alone: boolean
  #top: BoundTopValues | undefined
  #links: readonly { readonly bridge: Bridge; readonly on: RowExpr }[] | undefined

  constructor(
    readonly context: BindContext,
    { base, bridges: nodes, apart, facts, fanOut = false, weights = [] }: Reading,
  ) {
    this.#facts = facts
    this.#weights = new Map(weights.map((w) => [w.bridge, w.column]))
    this.#alone = nodes.size === 1
    this.base = new Rows(context, base, { isBase: true, linkedBy: facts?.linkedBy })
    const parents = parentsOf(nodes, context, base)
    const sideBySide = [...parents.values()].filter((parent) => parent === undefined).length > 1
    for (const node of outwards(parents)) {
      const parent = this.#bridges.get(parents.get(node) ?? '')
      const own = sideBySide || apart.has(node) || (this.#weights.has(node) && !this.#alone)
      this.#bridges.set(node, this.#bridge(node, parent, { own, distinct: sideBySide && !fanOut && !this.#weights.has(node) }))
    }
  }

  /** True when base rows may meet several connections, so that each must be counted once per group. */
  get multiplies(): boolean {
    return this.#bridges.size > 0
  }

  /** To be asked for when everything that is read has been read: what each connection weighs, where a bridge has weights. */
  weight(): ConnectionWeight | undefined {
    const weighed = [...this.#bridges.values()].filter((b) => b.weight !== undefined)
    if (weighed.length === 0) return undefined
    this.#linked()
    const expression = weighed.map((b) => this.#weightOf(b)).reduce((a, b) => binary('*', a, b))
    const type = typeOf(expression, (column: RelationColumn) => column.type, this.context.functions)
    return {
      expression,
      type,
      apart: this.#alone
        ? []
        : weighed.flatMap((b) => b.exposed.map(({ column }) => ({ name: column.name, expression: column, type: column.type }))),
    }
  }

  /** A base row that meets no row of the bridge is whole. */
  #weightOf(bridge: Bridge): RowExpr {
    const { weight, alias } = bridge
    const { far } = this.#linkColumns(bridge)
    const presence = this.#expose(bridge, firstOf(far).expression, firstOf(far).type)
    const { expression, type, sum } = weight!
    const own = sum === undefined ? this.#expose(bridge, expression, type) : relationColumn(alias!, sum, type)
    return { kind: 'case', branches: [{ when: isNull(presence), then: integer(1) }], otherwise: own }
  }

  /** A field, or the members of a coalesce field that this base uses. It must have been located before. */
  field(members: NonEmpty<FieldSource>, path: string): RowExpr {
    const used = membersFor(this.base.node, members, this.context.graph, path) ?? []
    return coalesce(...used.map((member) => this.#value(member, path)))
  }

  /** A dimension's value before bucketing; one that facts bring is bucketed there. */
  broughtByFacts(dimension: ResolvedDimension): RowExpr | undefined {
    return this.#facts?.dimension(dimension)
  }

  /** What the value of a dimension is among the top values: itself, or NULL. */
  amongTop({ name, label, type, top }: ResolvedDimension, value: RowExpr): RowExpr {
    const alias = madeName([this.base.node], 'top', '_value')
    const own = relationColumn(alias, name, type)
    const reason = top?.others === undefined ? 'only rows of the top values' : 'rows of all other values are one group'
    this.#top = {
      type: top?.others === undefined ? 'inner' : 'left',
      alias,
      on: binary('=', value, own),
      label: { from: '', to: label, columns: [], reason },
    }
    return own
  }

  /** A where expression over base rows and their connections. */
  where(expression: Expr<WhereLeaf>, path: string): RowExpr {
    return mapLeaves<WhereLeaf, RelationColumn>(expression, (leaf) => {
      if (leaf.kind === 'where-field') return this.field(leaf.members, path)
      const bridge = this.#bridgeOf(leaf.subject, path)
      if (!bridge) return isNotNull(this.base.existsHit(leaf))
      return isNotNull(this.#expose(bridge, bridge.rows.existsHit(leaf), INT))
    })
  }

  /** A column of the model, wherever it is reached: what measure filters read. */
  column(ref: ColumnRef, path: string): RowExpr {
    const { type } = columnOf(this.context.model, ref)
    return this.#value({ name: `${ref.object}.${ref.column}`, object: ref.object, via: undefined, expression: ref, type }, path)
  }

  /** To be asked for when everything that is read has been read. */
  bound(): BoundFrom {
    const links = this.#linked()
    const facts = this.#facts?.bound(this.base)
    return {
      base: this.base.bound(),
      bridges: links.map(({ bridge, on }) => this.#boundBridge(bridge, on)),
      facts,
      top: this.#top,
    }
  }

  /** All links first: linking a bridge may read one more column of the bridge that it hangs on. */
  #linked(): readonly { readonly bridge: Bridge; readonly on: RowExpr }[] {
    this.#links ??= [...this.#bridges.values()].map((bridge) => ({ bridge, on: this.#linkCondition(bridge) }))
    return this.#links
  }

  #value(field: FieldSource, path: string): RowExpr {
    const bridge = this.#bridgeOf(field, path)
    return bridge ? this.#expose(bridge, bridge.rows.value(field), field.type) : this.base.value(field)
  }

  #bridgeOf(field: FieldSource, path: string): Bridge | undefined {
    const location = locate(this.base.node, field, this.context.graph, path)
    return location?.kind === 'bridge' ? this.#bridges.get(location.node) : undefined
  }

  #bridge(
    node: string,
    parent: Bridge | undefined,
    { own: isOwn, distinct }: Pick<Bridge, 'distinct'> & { readonly own: boolean },
  ): Bridge {
    const { graph } = this.context
    const behind = this.#behind(node, parent)
    const here = parent ? parent.rows.root : this.base.roleOf(behind)
    const path = graph.path(node, behind)
    if (path.kind !== 'path') {
      const ways = path.kind === 'ambiguous' ? path.through.map((t) => `'${t}'`).join(' or ') : 'no path'
      return fail('AMBIGUOUS_JOIN', `'${node}' joins '${behind}' through ${ways}; pin the way with use_path_names`)
    }
    const pair = graph.pairs.get(node)
    const near = path.edges.length === 1
    const linkedBy = near ? (pair ? this.#pairColumns(pair, behind).far : firstOf(path.edges).columnsFrom)[0] : undefined
    const behindRows = parent?.rows ?? this.base
    const anchored = new Rows(this.context, node, { anchored: pair && near ? behind : undefined, linkedBy })
    // A static filter that must be met on the way over the anchored side needs that side scanned too.
    const back = pair && near && anchored.staticPaths(path.edges, behindRows).some(({ edges }) => edges[0]?.to === behind)
    const rows = back ? new Rows(this.context, node) : anchored
    const conditions = rows.staticConditions(path.edges, behindRows)
    const own = isOwn || path.edges.length > 1 || !rows.isPlain || parent?.alias !== undefined
    const alias = own ? madeName([node], node, '_rows') : undefined
    return {
      node,
      parent,
      here,
      weight: this.#weighing(node, rows),
      rows,
      link: path.edges,
      byKey: back === true,
      conditions,
      alias,
      distinct,
      exposed: [],
    }
  }

  #weighing(node: string, rows: Rows): Weighing | undefined {
    const column = this.#weights.get(node)
    if (column === undefined) return undefined
    const expression = rows.column(rows.root, column)
    const type = this.#type(node, column)
    return this.#alone ? { expression, type, sum: undefined } : { expression, type: sumOf(type, this.context), sum: 'weight' }
  }

  /** The object whose rows the rows of a bridge connect to. */
  #behind(node: string, parent: Bridge | undefined): string {
    return parent?.node ?? this.context.graph.meeting(this.base.node, node) ?? this.base.node
  }

  #expose(bridge: Bridge, expression: RowExpr, type: DataType): RowExpr {
    if (bridge.alias === undefined) return expression
    const known = bridge.exposed.find((e) => isSame(e.expression, expression))
    if (known) return known.column
    const column = relationColumn(bridge.alias, `c${bridge.exposed.length + 1}`, type)
    bridge.exposed.push({ expression, column })
    return column
  }

  #boundBridge(bridge: Bridge, on: RowExpr): BoundBridge {
    const label = {
      from: this.#behind(bridge.node, bridge.parent),
      to: bridge.node,
      columns: lastOf(bridge.link).columnsTo,
      reason: 'bridge: the rows that connect, or one empty row',
    }
    return { rows: bridge.rows.bound(), where: bridge.conditions, on, label, relation: relationOf(bridge) }
  }

  /** Equality of the last link of the path with the columns behind it, exposed where either side is a relation of its own. */
  #linkCondition(bridge: Bridge): RowExpr {
    const parentRows = bridge.parent?.rows ?? this.base
    const { far, here: near } = this.#linkColumns(bridge)
    const terms = far.map(({ expression, type }, i) => {
      const here = parentRows.column(bridge.here, near[i]!)
      return binary(
        '=',
        bridge.parent ? this.#expose(bridge.parent, here, this.#type(bridge.here.object, near[i]!)) : here,
        this.#expose(bridge, expression, type),
      )
    })
    return allOf(terms)!
  }

  /** The columns by which a bridge is linked, and those that they equal, of what it is linked to. */
  #linkColumns(bridge: Bridge) {
    const { graph } = this.context
    const last = lastOf(bridge.link)
    const pair = graph.pairs.get(last.from)
    const key = bridge.byKey ? this.#keyOf(last.to) : undefined
    const plain = pair ? this.#pairColumns(pair, last.to) : { far: last.columnsFrom, here: last.columnsTo }
    const near = key ? { far: key, here: key } : plain
    const farRole: Role = bridge.rows.roleAt(key ? bridge.link : pair ? [] : bridge.link.slice(0, -1))
    const far = near.far.map((name) => ({
      expression: bridge.rows.column(farRole, name),
      type: this.#type(farRole.object, name),
    }))
    return { far, here: near.here }
  }

  #keyOf(object: string): readonly string[] {
    const { key } = objectOf(this.context.model, object)
    if (key.length > 0) return key
    return fail(
      'KEY_REQUIRED',
      `rows of '${object}' must be told apart to follow its many-to-many join; mark its key with primaryKey`,
    )
  }

  #pairColumns(pair: { left: string; columnsLeft: readonly string[]; columnsRight: readonly string[] }, here: string) {
    return here === pair.left
      ? { far: pair.columnsRight, here: pair.columnsLeft }
      : { far: pair.columnsLeft, here: pair.columnsRight }
  }

  #type(object: string, column: string): DataType {
    return columnOf(this.context.model, { kind: 'column', object, column }).type
  }
}

const sumOf = (type: DataType, { aggregates }: BindContext): DataType => entryOf(aggregates, 'sum').result([type])

function relationOf({ node, alias, exposed, weight, distinct }: Bridge): BridgeRelation | undefined {
  if (alias === undefined) return undefined
  const columns = exposed.map(({ expression, column: { name, type } }): NamedExpr => ({ name, expression, type }))
  if (weight?.sum === undefined) return { alias, columns, alike: distinct ? 'one' : 'several' }
  const { expression, type, sum: name } = weight
  const reason = `rows of '${node}' that read alike weigh what they weigh together`
  return { alias, columns, alike: { weight: { name, expression, type }, reason } }
}

/** The parent of a bridge is the nearest read bridge that it reaches, else the base. Throws `AMBIGUOUS_JOIN` where two are equally near. */
function parentsOf(nodes: ReadonlySet<string>, { graph }: BindContext, base: string): Map<string, string | undefined> {
  const parents = new Map<string, string | undefined>()
  for (const node of nodes) {
    const nearer = [...nodes].filter((other) => other !== node && graph.isBeyond(node, other, base))
    const nearest = nearer.find((n) => nearer.every((other) => n === other || graph.isBeyond(n, other, base)))
    if (nearer.length > 0 && nearest === undefined) {
      fail(
        'AMBIGUOUS_JOIN',
        `'${node}' joins '${base}' through ${nearer.map((n) => `'${n}'`).join(' and through ')}; ask for them apart`,
      )
    }
    parents.set(node, nearest)
  }
  return parents
}

/** Parents before children, otherwise in the order given. */
function outwards(parents: ReadonlyMap<string, string | undefined>): string[] {
  const ordered = new Set<string>()
  const visit = (node: string): void => {
    const parent = parents.get(node)
    if (parent !== undefined) visit(parent)
    ordered.add(node)
  }
  for (const node of parents.keys()) visit(node)
  return [...ordered]
}
