import { fail } from '../errors.js'
import type { DataType } from '../model/data-type.js'
import { INT } from '../model/data-type.js'
import { type ColumnRef, type Expr, mapLeaves } from '../model/expression/ast.js'
import { allOf, binary, coalesce, isNotNull } from '../resolve/expressions.js'
import type { Edge } from '../resolve/join-graph.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { columnOf, type FieldSource, objectOf, type ResolvedDimension, type WhereLeaf } from '../resolve/resolved-query.js'
import { type AcrossRows, besideHome } from './across.js'
import { locate, membersFor } from './locate.js'
import type { Join, LogicalPlan, NamedExpr } from './logical-plan.js'
import { type Role, Rows } from './rows.js'
import type { RowsContext } from './rows-context.js'

interface Bridge {
  readonly node: string
  readonly parent: Bridge | undefined
  readonly rows: Rows
  readonly link: readonly Edge[]
  /** Linked by the key of the object behind, which these rows scan themselves. */
  readonly byKey: boolean
  readonly conditions: readonly RowExpr[]
  /** Set when the bridge is a relation of its own; its columns are then read through this alias. */
  readonly alias: string | undefined
  readonly distinct: boolean
  readonly exposed: Map<RowExpr, RelationColumn>
}

/**
 * The rows of a home with its connections: bridge rows joined outward, home on the left, so that a home row without any connection
 * meets one all-NULL row. Bridges on one chain hang on each other, unrelated ones hang on home side by side.
 */
export class Connections {
  readonly home: Rows
  readonly #bridges = new Map<string, Bridge>()
  readonly #across: AcrossRows | undefined

  /**
   * `nodes`: the bridges that fields of this block are read on. `apart`: those that must be relations of their own. `fanOut`: rows of
   * bridges that read alike are several.
   */
  constructor(
    readonly context: RowsContext,
    home: string,
    nodes: ReadonlySet<string>,
    apart: ReadonlySet<string>,
    { across, fanOut = false }: { readonly across?: AcrossRows | undefined; readonly fanOut?: boolean } = {},
  ) {
    this.#across = across
    this.home = new Rows(context, home, { isHome: true, linkedBy: across?.linkedBy })
    const parents = parentsOf(nodes, context, home)
    const sideBySide = [...parents.values()].filter((parent) => parent === undefined).length > 1
    for (const node of outwards(parents)) {
      const parent = this.#bridges.get(parents.get(node) ?? '')
      this.#bridges.set(node, this.#bridge(node, parent, { own: sideBySide || apart.has(node), distinct: sideBySide && !fanOut }))
    }
  }

  /** True when home rows may meet several connections, so that each must be counted once per group. */
  get multiplies(): boolean {
    return this.#bridges.size > 0
  }

  /** A field, or the members of a coalesce field that this home uses. It must have been located before. */
  field(members: readonly FieldSource[], path: string): RowExpr {
    const used = membersFor(this.home.node, members, this.context.graph, path) ?? []
    return coalesce(...used.map((member) => this.#value(member, path)))
  }

  /** A dimension's value before bucketing; one that facts bring is bucketed there. */
  broughtByFacts(dimension: ResolvedDimension): RowExpr | undefined {
    return this.#across?.dimension(dimension)
  }

  /** A where expression over home rows and their connections. */
  where(expression: Expr<WhereLeaf>, path: string): RowExpr {
    return mapLeaves<WhereLeaf, RelationColumn>(expression, (leaf) => {
      if (leaf.kind === 'where-field') return this.field(leaf.members, path)
      const bridge = this.#bridgeOf(leaf.subject, path)
      if (!bridge) return isNotNull(this.home.existsHit(leaf))
      return isNotNull(this.#expose(bridge, bridge.rows.existsHit(leaf), INT))
    })
  }

  /** A column of the model, wherever it is reached: what measure filters read. */
  column(ref: ColumnRef, path: string): RowExpr {
    const { type } = columnOf(this.context.model, ref)
    return this.#value({ name: `${ref.object}.${ref.column}`, object: ref.object, via: undefined, expression: ref, type }, path)
  }

  /** To be asked for when everything that is read has been read. */
  plan(): LogicalPlan {
    // All links first: linking a bridge may read one more column of the bridge that it hangs on.
    const links = [...this.#bridges.values()].map((bridge) => ({ bridge, on: this.#linkCondition(bridge) }))
    const across = this.#across
    const home = this.home.plan(across && ((scan) => besideHome(across, this.home, scan)))
    return links.reduce((left, { bridge, on }) => this.#join(left, bridge, on), home)
  }

  #value(field: FieldSource, path: string): RowExpr {
    const bridge = this.#bridgeOf(field, path)
    return bridge ? this.#expose(bridge, bridge.rows.value(field), field.type) : this.home.value(field)
  }

  #bridgeOf(field: FieldSource, path: string): Bridge | undefined {
    const location = locate(this.home.node, field, this.context.graph, path)
    return location?.kind === 'bridge' ? this.#bridges.get(location.node) : undefined
  }

  #bridge(
    node: string,
    parent: Bridge | undefined,
    { own: isOwn, distinct }: Pick<Bridge, 'distinct'> & { readonly own: boolean },
  ): Bridge {
    const { graph, aliases } = this.context
    const behind = parent?.node ?? this.home.node
    const path = graph.path(node, behind)
    if (path.kind !== 'path') {
      const ways = path.kind === 'ambiguous' ? path.through.map((t) => `'${t}'`).join(' or ') : 'no path'
      return fail('AMBIGUOUS_JOIN', `'${node}' joins '${behind}' through ${ways}; pin the way with use_path_names`)
    }
    const pair = graph.pairs.get(node)
    const near = path.edges.length === 1
    const linkedBy = near ? (pair ? this.#pairColumns(pair, behind).far : path.edges[0]!.columnsFrom)[0] : undefined
    const behindRows = parent?.rows ?? this.home
    const anchored = new Rows(this.context, node, { anchored: pair && near ? behind : undefined, linkedBy })
    // A static filter that must be met on the way over the anchored side needs that side scanned too.
    const back = pair && near && anchored.staticPaths(path.edges, behindRows).some(({ edges }) => edges[0]?.to === behind)
    const rows = back ? new Rows(this.context, node) : anchored
    const conditions = rows.staticConditions(path.edges, behindRows)
    const own = isOwn || path.edges.length > 1 || !rows.isPlain || parent?.alias !== undefined
    const alias = own ? aliases.derived(node, '_rows') : undefined
    return {
      node,
      parent,
      rows,
      link: path.edges,
      byKey: back === true,
      conditions,
      alias,
      distinct,
      exposed: new Map(),
    }
  }

  #expose(bridge: Bridge, expression: RowExpr, type: DataType): RowExpr {
    if (bridge.alias === undefined) return expression
    const known = bridge.exposed.get(expression)
    if (known) return known
    const column = relationColumn(bridge.alias, `c${bridge.exposed.size + 1}`, type)
    bridge.exposed.set(expression, column)
    return column
  }

  #join(left: LogicalPlan, bridge: Bridge, on: RowExpr): LogicalPlan {
    const behind = bridge.parent?.node ?? this.home.node
    const label = {
      from: behind,
      to: bridge.node,
      columns: bridge.link.at(-1)!.columnsTo,
      reason: 'bridge: the rows that connect, or one empty row',
    }
    const type: Join['type'] = 'left'
    if (bridge.alias === undefined) {
      const all = allOf([on, ...bridge.conditions])
      return bridge.rows.plan((root) => ({ kind: 'join', type, left, right: root, on: all, label }))
    }
    const input = bridge.conditions.reduce<LogicalPlan>(
      (plan, condition) => ({
        kind: 'filter',
        input: plan,
        condition,
        reason: 'static filters restrict a bridge before it connects',
      }),
      bridge.rows.plan(),
    )
    const columns: NamedExpr[] = [...bridge.exposed].map(([expression, column]) => ({
      name: column.name,
      expression,
      type: column.type,
    }))
    const reason = 'unrelated bridges are reduced to what is read before they meet'
    const right: LogicalPlan = bridge.distinct
      ? { kind: 'distinct', input, alias: bridge.alias, columns, reason }
      : { kind: 'project', input, alias: bridge.alias, columns }
    return { kind: 'join', type, left, right, on, label }
  }

  /** Equality of the last link of the path with the columns behind it, exposed where either side is a relation of its own. */
  #linkCondition(bridge: Bridge): RowExpr {
    const { graph } = this.context
    const parentRows = bridge.parent?.rows ?? this.home
    const last = bridge.link.at(-1)!
    const pair = graph.pairs.get(last.from)
    const key = bridge.byKey ? this.#keyOf(last.to) : undefined
    const plain = pair ? this.#pairColumns(pair, last.to) : { far: last.columnsFrom, here: last.columnsTo }
    const near = key ? { far: key, here: key } : plain
    const farRole: Role = bridge.rows.roleAt(key ? bridge.link : pair ? [] : bridge.link.slice(0, -1))
    const terms = near.far.map((name, i) => {
      const far = this.#expose(bridge, bridge.rows.column(farRole, name), this.#type(farRole.object, name))
      const here = parentRows.column(parentRows.root, near.here[i]!)
      return binary(
        '=',
        bridge.parent ? this.#expose(bridge.parent, here, this.#type(parentRows.root.object, near.here[i]!)) : here,
        far,
      )
    })
    return allOf(terms)!
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

/** The parent of a bridge is the nearest read bridge that it reaches, else home. Throws `AMBIGUOUS_JOIN` where two are equally near. */
function parentsOf(nodes: ReadonlySet<string>, { graph }: RowsContext, home: string): Map<string, string | undefined> {
  const parents = new Map<string, string | undefined>()
  for (const node of nodes) {
    const nearer = [...nodes].filter((other) => other !== node && graph.isBeyond(node, other, home))
    const nearest = nearer.find((n) => nearer.every((other) => n === other || graph.isBeyond(n, other, home)))
    if (nearer.length > 0 && nearest === undefined) {
      fail(
        'AMBIGUOUS_JOIN',
        `'${node}' joins '${home}' through ${nearer.map((n) => `'${n}'`).join(' and through ')}; ask for them apart`,
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
