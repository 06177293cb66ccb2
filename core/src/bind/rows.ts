import { fail } from '../errors.js'
import { firstOf } from '../invariant.js'
import { INT } from '../model/data-type.js'
import { type ColumnRef, type Expr, leavesOf, mapLeaves } from '../model/expression/ast.js'
import type { Column, ModelCondition, StaticFilter } from '../model/semantic-model.js'
import { condition } from '../resolve/conditions.js'
import { allOf, anyOf, binary, integer, isNotNull, isNull, not, TRUE } from '../resolve/expressions.js'
import { ambiguousJoin } from '../resolve/helpful-pins.js'
import type { Edge, JoinGraph } from '../resolve/join-graph.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { columnOf, type ExistsLeaf, type FieldSource, objectOf } from '../resolve/resolved-query.js'
import { isStrict } from '../resolve/strict.js'
import { ValueMap } from '../same.js'
import type { BindContext } from './bind-context.js'
import { backName, madeName, roleName, rootName } from './block-names.js'
import type { BoundJoin, BoundRows, JoinLabel, NamedExpr, Scan } from './bound-block.js'
import { existsPath, type Hop } from './exists-path.js'
import { scanElements } from './scan-elements.js'

/** An object at the end of one path: its columns, and only its, are read through it. */
export interface Role {
  readonly alias: string
  readonly object: string
  /** No row is missing here: the root, or joined by required edges all the way. */
  readonly whole: boolean
  /** NULL exactly where the role has no row; `undefined` for a root. */
  readonly presence: RowExpr | undefined
  /** The objects on the way to it, from the root on. */
  readonly way: readonly string[]
}

/** What the rows are in a block. */
export interface Place {
  /** `required` edges restrict the rows of a base; those of a bridge or of an `exists` target they leave alone. */
  readonly isBase?: boolean
  /** Of a pair, the side that the rows are joined to from outside; only the other side is scanned then. */
  readonly anchored?: string | undefined
  /** A root column by which the rows are joined to others; it is NULL where they are missing. */
  readonly linkedBy?: string | undefined
}

const MAX_EXPRESSION_NODES = 20_000

/**
 * The rows of one object (or of a many-to-many pair) with every object that its forward joins bring: only those that something
 * reads. Forward joins never multiply rows, so the number of rows is the object's own.
 */
export class Rows {
  readonly #roles = new Map<string, Map<Edge, Role>>()
  readonly #columns = new Map<string, { readonly expression: RowExpr; readonly size: number }>()
  readonly #exists = new ValueMap<ExistsLeaf, RowExpr>()
  readonly #joins: BoundJoin[] = []
  readonly #parts = new Map<string, Role>()
  readonly root: Role
  readonly #start: Scan

  constructor(
    readonly context: BindContext,
    readonly node: string,
    private readonly place: Place = {},
  ) {
    const { anchored, linkedBy } = place
    const pair = context.graph.pairs.get(node)
    if (!pair) {
      this.root = this.#rootRole(node, linkedBy)
      this.#start = this.#scan(this.root)
      return
    }
    if (anchored !== undefined) {
      this.root = this.#rootRole(pair.left === anchored ? pair.right : pair.left, linkedBy)
      this.#start = this.#scan(this.root)
      this.#parts.set(this.root.object, this.root)
      return
    }
    this.root = this.#rootRole(pair.left)
    const right = this.#rootRole(pair.right, undefined, pair.left === pair.right ? 2 : 1)
    this.#start = this.#scan(this.root)
    this.#parts.set(pair.left, this.root).set(pair.right, right)
    const on = this.equal(this.root, pair.columnsLeft, right, pair.columnsRight)
    const label = {
      from: pair.left,
      to: pair.right,
      columns: pair.columnsLeft,
      reason: 'the matching pairs of a many-to-many join',
    }
    this.#joins.push({ right: this.#scan(right), on, type: 'inner', label })
  }

  /** Whether reading so far needs more than the root object itself. */
  get isPlain(): boolean {
    return this.#joins.length === 0
  }

  /** To be asked for when everything that is read has been read. */
  bound(): BoundRows {
    return { start: this.#start, joins: [...this.#joins] }
  }

  /** A field's unbucketed value by its own path. Throws `AMBIGUOUS_JOIN`. */
  value(field: FieldSource, base?: Role): RowExpr {
    const role = this.roleOf(field.object, field.via, base)
    const value = mapLeaves(field.expression, (ref) =>
      this.column(ref.object === role.object ? role : this.roleOf(ref.object, undefined, role), ref.column),
    )
    return whereTheRowIs(role, field.expression, value)
  }

  /** An expression over columns of objects that these rows reach; `instead` says what else stands for a column. */
  expression(expr: Expr<ColumnRef>, instead: (ref: ColumnRef) => RowExpr | undefined = () => undefined): RowExpr {
    return mapLeaves(expr, (ref) => instead(ref) ?? this.column(this.roleOf(ref.object), ref.column))
  }

  /** The role of an object by the path rule, from the root or another role. */
  roleOf(object: string, via?: string, base?: Role): Role {
    const { graph } = this.context
    const from = base === undefined ? this.node : base.object
    const path = graph.path(from, object, via)
    if (path.kind === 'path') return this.roleAt(path.edges, base, via === undefined ? object : undefined)
    if (path.kind === 'none')
      return fail('NO_JOIN_PATH', `'${from}' does not reach '${object}'${whoReaches(from, object, graph)}`)
    return ambiguousJoin(object, path, graph)
  }

  /** `sought`: what the path rule was asked for, so that an explanation can name the ways that gave way. */
  roleAt(edges: readonly Edge[], base: Role = this.root, sought?: string): Role {
    return edges.reduce((role, edge) => this.#step(role, edge, sought), base)
  }

  /** A column of a role; a computed column is written out where it is read. */
  column(role: Role, name: string): RowExpr {
    return this.#column(role, name).expression
  }

  /** Static filters of every object that these rows are or reach; those that the rows behind `link` meet themselves are left to them. */
  staticConditions(link: readonly Edge[] = [], behind?: Rows): RowExpr[] {
    return this.staticPaths(link, behind).map(({ filter, edges }) => {
      const role = this.roleAt(edges)
      const own = (ref: ColumnRef): Role => (ref.object === role.object ? role : this.roleOf(ref.object, undefined, role))
      return this.condition(filter.condition, (ref) => this.column(own(ref), ref.column))
    })
  }

  /** The ways on which static filters must be met here. */
  staticPaths(link: readonly Edge[] = [], behind?: Rows): { readonly filter: StaticFilter; readonly edges: readonly Edge[] }[] {
    const { model, graph } = this.context
    const met = (object: string, edges: readonly Edge[]) =>
      behind !== undefined && startsWith(edges, link) && behind.#meets(object, edges.slice(link.length))
    return model.filters
      .filter((filter) => graph.reach(this.node).has(filter.dataObject))
      .flatMap((filter) => this.#pathsTo(filter.dataObject).map((edges) => ({ filter, edges })))
      .filter(({ filter, edges }) => !met(filter.dataObject, edges))
  }

  /** Walks every required edge in reach: an inner join where no row above can be missing, a condition elsewhere. */
  requiredConditions(): RowExpr[] {
    const { graph } = this.context
    const found: RowExpr[] = []
    for (const object of graph.reach(this.node)) {
      for (const edge of graph.edges(object)) {
        if (!edge.required) continue
        for (const edges of this.#pathsTo(object)) {
          const left = this.roleAt(edges)
          const right = this.#step(left, edge)
          if (!right.whole) found.push(binary('or', isNull(left.presence ?? TRUE), isNotNull(right.presence ?? TRUE)))
        }
      }
    }
    return found
  }

  /** A model condition with its columns read by `read`. */
  condition(given: ModelCondition, read: (ref: ColumnRef) => RowExpr): RowExpr {
    if (given.kind === 'group') {
      const parts = given.filters.map((f) => this.condition(f, read))
      const joined = given.logic === 'and' ? (allOf(parts) ?? TRUE) : anyOf(parts)
      return given.negated ? not(joined) : joined
    }
    const { column, grain, operator, values, path } = given
    const type = columnOf(this.context.model, column).type
    return condition(
      { expression: read(column), type, grain, name: column.column },
      { operator, values, path },
      this.context.time,
    )
  }

  /** NULL exactly where no row of the target meets the filter and connects with the subject. */
  existsHit(leaf: ExistsLeaf): RowExpr {
    const known = this.#exists.get(leaf)
    if (known) return known
    const hit = this.#makeExists(leaf)
    this.#exists.set(leaf, hit)
    return hit
  }

  /** Joins a relation that has at most one row for each of these. */
  attach(right: BoundJoin['right'], on: RowExpr, label: JoinLabel): void {
    this.#joins.push({ right, on, type: 'left', label })
  }

  /** Equality of columns of two roles, pair by pair. */
  equal(left: Role, columnsLeft: readonly string[], right: Role, columnsRight: readonly string[]): RowExpr {
    return allOf(columnsLeft.map((name, i) => binary('=', this.column(left, name), this.column(right, columnsRight[i]!)))) ?? TRUE
  }

  #makeExists(leaf: ExistsLeaf): RowExpr {
    const { context } = this
    const subject = this.roleOf(leaf.subject.object, leaf.subject.via)
    const hops = existsPath(context.graph, subject.object, leaf)
    if (hops.length === 0) return this.#existsHere(leaf, subject)
    const target = new Rows(context, leaf.target)
    const conditions = [...target.staticConditions(), ...target.#innerFilter(leaf, target.root)]
    const nearest = target.#walkBack(hops)
    const first = firstOf(hops)
    const links: NamedExpr[] = first.columnsTo.map((name, i) => {
      const type = columnOf(context.model, { kind: 'column', object: first.to, column: name }).type
      return { name: `link_${i + 1}`, expression: target.column(nearest, name), type }
    })
    const alias = madeName([this.node, `${this.#joins.length}`], leaf.target, '_found')
    const right = { kind: 'found', rows: target.bound(), where: conditions, links, alias } as const
    const on =
      allOf(
        links.map((link, i) =>
          binary('=', this.column(subject, first.columnsFrom[i]!), relationColumn(alias, link.name, link.type)),
        ),
      ) ?? TRUE
    const label = {
      from: subject.object,
      to: leaf.target,
      columns: first.columnsFrom,
      reason: `exists: whether a row of '${leaf.target}' connects`,
    }
    this.attach(right, on, label)
    return relationColumn(alias, 'hit', INT)
  }

  /** Target and subject are one object: the row itself is tested. */
  #existsHere(leaf: ExistsLeaf, subject: Role): RowExpr {
    const conditions = [...(subject.presence ? [isNotNull(subject.presence)] : []), ...this.#innerFilter(leaf, subject)]
    return { kind: 'case', branches: [{ when: allOf(conditions) ?? TRUE, then: integer(1) }], otherwise: undefined }
  }

  #innerFilter(leaf: ExistsLeaf, base: Role): RowExpr[] {
    return leaf.filter ? [mapLeaves(leaf.filter, (field) => this.value(field.members[0], base))] : []
  }

  /** From the target back to the object next to the subject, by inner joins. */
  #walkBack(hops: readonly Hop[]): Role {
    let role = this.root
    for (const hop of hops.slice(1).reverse()) {
      const next = rootRole(backName(role.alias, hop.from), hop.from)
      const on = this.equal(role, hop.columnsTo, next, hop.columnsFrom)
      const label = { from: role.object, to: next.object, columns: hop.columnsTo, reason: 'on the way to the subject' }
      this.#joins.push({ right: this.#scan(next), on, type: 'inner', label })
      role = next
    }
    return role
  }

  /** Whether a static filter on `object` is applied here along exactly these edges. */
  #meets(object: string, edges: readonly Edge[]): boolean {
    return this.#pathsTo(object).some((path) => path.length === edges.length && startsWith(path, edges))
  }

  #pathsTo(object: string): readonly (readonly Edge[])[] {
    const { graph } = this.context
    const path = graph.path(this.node, object)
    return path.kind === 'path' ? [path.edges] : graph.simplePaths(this.node, object)
  }

  #step(from: Role, edge: Edge, sought?: string): Role {
    if (edge.kind === 'part')
      return this.#parts.get(edge.to) ?? fail('INTERNAL_ERROR', `'${edge.to}' is not scanned by the pair '${edge.from}'`)
    let steps = this.#roles.get(from.alias)
    if (!steps) {
      steps = new Map()
      this.#roles.set(from.alias, steps)
    }
    const known = steps.get(edge)
    if (known) return known
    const whole = edge.required && from.whole && this.place.isBase === true
    const alias = roleName(from.alias, edge.to, this.#placeOf(edge))
    const bare: Role = { alias, object: edge.to, whole, presence: undefined, way: [...from.way, edge.to] }
    const role: Role = { ...bare, presence: this.column(bare, firstOf(edge.columnsTo)) }
    steps.set(edge, role)
    const on = this.equal(from, edge.columnsFrom, role, edge.columnsTo)
    const rule = edge.pathName === undefined ? 'the join by the path rule' : `the join named '${edge.pathName}'`
    const reason = `${rule}${sought === undefined ? '' : gaveWay(edge, sought, this.context.graph)}`
    const label = {
      from: edge.from,
      to: edge.to,
      columns: edge.columnsFrom,
      role: alias,
      way: role.way,
      reason: edge.required ? `${reason}, required` : reason,
    }
    this.#joins.push({ right: this.#scan(role), on, type: whole ? 'inner' : 'left', label })
    return role
  }

  #column(role: Role, name: string): { readonly expression: RowExpr; readonly size: number } {
    const key = `${role.alias}\u0000${name}`
    const known = this.#columns.get(key)
    if (known) return known
    const column = columnOf(this.context.model, { kind: 'column', object: role.object, column: name })
    const made =
      column.source.kind === 'physical'
        ? { expression: this.#physical(role, column, column.source.code), size: 1 }
        : this.#computed(role, name, column.source.expression)
    this.#columns.set(key, made)
    return made
  }

  #physical({ alias, object }: Role, column: Column, code: string): RowExpr {
    const stored = this.context.storedAs(object, column)
    const leaf = relationColumn(alias, code, column.type)
    return stored === undefined ? leaf : { ...leaf, stored }
  }

  #computed(role: Role, name: string, expression: Expr<ColumnRef>): { readonly expression: RowExpr; readonly size: number } {
    const read = (ref: ColumnRef) =>
      this.#column(ref.object === role.object ? role : this.roleOf(ref.object, undefined, role), ref.column)
    const size = leavesOf(expression).reduce((sum, ref) => sum + 1 + read(ref).size, 0)
    if (size > MAX_EXPRESSION_NODES) {
      fail(
        'INVALID_EXPRESSION',
        `computed column '${role.object}.${name}' grows to more than ${MAX_EXPRESSION_NODES} terms when written out`,
      )
    }
    const written = mapLeaves(expression, (ref) => read(ref).expression)
    return { expression: whereTheRowIs(role, expression, written), size }
  }

  /** Of a pair that joins an object to itself, the second one is `n` = 2. */
  #rootRole(object: string, linkedBy?: string, n = 1): Role {
    const here = rootName(this.node)
    const alias = object === this.node ? here : roleName(here, object, n)
    const root = rootRole(alias, object, linkedBy === undefined)
    return linkedBy === undefined ? root : { ...root, presence: this.column(root, linkedBy) }
  }

  /** Which of the joins that lead to its object, the first being 1. */
  #placeOf(edge: Edge): number {
    const alike = this.context.graph.edges(edge.from).filter((other) => other.to === edge.to)
    return alike.indexOf(edge) + 1
  }

  #scan(role: Role): Scan {
    const object = objectOf(this.context.model, role.object)
    if (object.nestedIn) return scanElements(object, object.nestedIn, role.alias, this.context.model)
    return { kind: 'scan', object: object.name, source: object.source, alias: role.alias }
  }
}

const rootRole = (alias: string, object: string, whole = true): Role => ({
  alias,
  object,
  whole,
  presence: undefined,
  way: [object],
})

/** The other ways to what was sought, which the rule left aside where this edge was taken. */
function gaveWay(edge: Edge, sought: string, graph: JoinGraph): string {
  const others = graph.alternatives(edge, sought).map((o) => `'${o}'`)
  return others.length === 0 ? '' : `; ${others.join(' and ')} would lead to '${sought}', too`
}

/** Which object reaches both, so that an expression over both can be declared there. */
function whoReaches(from: string, object: string, graph: JoinGraph): string {
  const both = graph.nodes.filter((n) => graph.model.dataObjects.has(n) && graph.reach(n).has(from) && graph.reach(n).has(object))
  const nearest = graph.lowest(both, [from, object]) ?? both[0]
  return nearest === undefined ? '; declare a join that leads there' : `; '${nearest}' reaches both: declare the expression there`
}

/** A value of a missing row is NULL, whatever its expression makes of NULLs. */
function whereTheRowIs(role: Role, written: Expr<ColumnRef>, value: RowExpr): RowExpr {
  if (role.whole || role.presence === undefined || isStrict(written)) return value
  return { kind: 'case', branches: [{ when: isNotNull(role.presence), then: value }], otherwise: undefined }
}

function startsWith(edges: readonly Edge[], prefix: readonly Edge[]): boolean {
  return prefix.length <= edges.length && prefix.every((edge, i) => edges[i] === edge)
}
