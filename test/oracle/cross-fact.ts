/** Expressions over several facts: the sums of each per row of an object that all of them reach. */
import type { Asking, Atom, TupleRows } from './atoms.js'
import { homeRows } from './bridges.js'
import { fineness, partOf } from './coarse.js'
import { type Condition, measureCondition, type Reading, whereCondition } from './conditions.js'
import { refsOf } from './expressions.js'
import type { Asked, Field } from './fields.js'
import { nearestShared, realObjects } from './homes.js'
import { windowCondition } from './levels.js'
import type { FilterJson } from './model.js'
import { follow, path, pathToRole, type Role, reaches, reachesRole } from './paths.js'
import { refuse } from './refusal.js'
import { refuseUnshown } from './shown.js'
import { add, keyOfAll, type Value } from './values.js'
import { checkPaths, columnOf, type Edge, type Row, readColumn, type World } from './world.js'

/** The object at whose rows facts meet: the named one, or else the nearest that all of them are or reach. Undefined if they share none. */
export function anchorOf(world: World, read: readonly string[], anchor: string | undefined): string | undefined {
  const shared = realObjects(world).filter((a) => read.every((r) => reaches(world, r, a)))
  if (shared.length === 0) return undefined
  if (anchor !== undefined && !shared.includes(anchor)) return refuse('ANCHOR_REQUIRED', `${anchor} is not shared`)
  const found = anchor ?? nearestShared(world, shared, read) ?? refuse('ANCHOR_REQUIRED', `shared are ${shared.join(', ')}`)
  return world.things.get(found)!.key.length > 0 ? found : refuse('KEY_REQUIRED', found)
}

/** Refuses facts without a unique path to the anchor, columns that cannot be summed, and ambiguous columns. */
export function checkFacts(world: World, anchor: string, facts: readonly string[], atom: Pick<Atom, 'inputs'>): void {
  for (const fact of facts) path(world, fact, anchor)
  for (const ref of atom.inputs.flatMap(refsOf)) {
    const [object, column] = ref.parts as [string, string]
    checkPaths(world, object, ref)
    if (facts.includes(object) && !['int', 'decimal', 'float'].includes(columnOf(world, object, column).kind))
      refuse('INVALID_AGGREGATION_INPUTS', `${object}.${column} cannot be summed`)
  }
}

/** Something read from the rows of one object, by direct paths. */
interface Read<T> {
  readonly of: T
  readonly steps: readonly (readonly Edge[])[]
}

const rowsAt = (steps: readonly (readonly Edge[])[], row: Row | null): (Row | null)[] => steps.map((s) => row && follow(row, s))

/** Undefined if a role is not reached directly, regardless of the others. */
function direct<T extends Field | Condition>(world: World, home: string, of: T): Read<T> | undefined {
  const unread = 'readable' in of ? !of.readable : of.roles.length === 0
  if (unread || !of.roles.every((role: Role) => reachesRole(world, home, role))) return undefined
  return { of, steps: of.roles.map((role: Role) => pathToRole(world, home, role)!) }
}

/** A condition at the place where it applies: on rows of the anchor, or on those of each fact that reads it. */
interface Acting {
  readonly anchor: Read<Condition> | undefined
  readonly facts: readonly (Read<Condition> | undefined)[]
}

/** The rows at which the expression is evaluated, by tuple: their values are named `Object.Column`. */
export function crossRows(asking: Asking, atom: Atom, grouped: readonly Asked[]) {
  const { world, now, asked } = asking
  const { home: anchor } = atom
  const facts = atom.facts!
  const reading = (home: string): Reading => ({ world, now, home, asked })
  // A field that is read at the anchor is not looked up from the facts, so it does not matter if a fact reaches it on several paths.
  const acting = (at: (home: string) => Condition): Acting => {
    const there = direct(world, anchor, at(anchor))
    return { anchor: there, facts: facts.map((fact) => (there ? undefined : direct(world, fact, at(fact)))) }
  }
  const conjuncts = asking.where.map((f: FilterJson) => acting((home) => whereCondition(reading(home), f)))
  const isUnread = (f: FilterJson, { anchor: there, facts: in_ }: Acting): boolean =>
    !('logic' in f) && f.shown !== undefined && !there && in_.includes(undefined)
  if (asking.where.some((f, i) => isUnread(f, conjuncts[i]!))) refuseUnshown(anchor)
  const filters = (atom.measure.filters ?? []).map((f) => acting((home) => measureCondition(reading(home), f)))
  const windows = asking.within.map((w) => acting((home) => windowCondition(w, home)))
  for (const f of filters) if (!f.anchor && f.facts.every((r) => !r)) refuse('NO_JOIN_PATH', `a filter of ${atom.name}`)
  const all = [...conjuncts, ...filters, ...windows]
  const dimensions = grouped.map((d) => dimensionAt(world, anchor, facts, d))
  const readAt = (isRead: (one: Acting) => boolean, isGroup: (one: DimensionAt) => boolean) => ({
    grouped: asking.grouped.filter((_, i) => isGroup(dimensions[i]!)),
    where: asking.where.filter((_, i) => isRead(conjuncts[i]!)),
    within: asking.within.filter((_, i) => isRead(windows[i]!)),
    now,
  })
  const there = readAt(
    (one) => one.anchor !== undefined,
    (one) => 'anchor' in one,
  )
  fineness(world, anchor, { ...there, isSum: false })
  const days = facts.map((fact, at) => {
    const inside = readAt(
      (one) => one.anchor === undefined && one.facts[at] !== undefined,
      (one) => !('anchor' in one),
    )
    return fineness(world, fact, { ...inside, isSum: true })
  })
  const rows = meeting(world, atom, dimensions, days, {
    anchor: all.flatMap((c) => c.anchor ?? []),
    facts: facts.map((_, i) => all.flatMap((c) => (c.anchor ? [] : (c.facts[i] ?? [])))),
  })
  return { rows, applied: facts.map((_, i) => conjuncts.map((c) => c.anchor !== undefined || c.facts[i] !== undefined)) }
}

/** A dimension at the anchor, or at every fact. */
type DimensionAt = { readonly anchor: Read<Field> } | { readonly facts: readonly Read<Field>[] }

function dimensionAt(world: World, anchor: string, facts: readonly string[], asked: Asked): DimensionAt {
  const there = direct(world, anchor, asked.at(anchor))
  if (there) return { anchor: there }
  return {
    facts: facts.map((fact) => direct(world, fact, asked.at(fact)) ?? refuse('NO_JOIN_PATH', `${asked.text} from ${fact}`)),
  }
}

interface Meeting {
  readonly anchor: Row | null
  readonly cut: readonly Value[]
  readonly sums: Map<string, Value>
}

function meeting(
  world: World,
  atom: Atom,
  dimensions: readonly DimensionAt[],
  days: readonly ReturnType<typeof fineness>[],
  conditions: { readonly anchor: readonly Read<Condition>[]; readonly facts: readonly (readonly Read<Condition>[])[] },
): ReadonlyMap<string, TupleRows> {
  const holds = (reads: readonly Read<Condition>[], row: Row | null) =>
    reads.every((r) => r.of.holds(rowsAt(r.steps, row)) === true)
  const cutting = dimensions.flatMap((d) => ('facts' in d ? [d.facts] : []))
  const anchorRows = new Set<Row | null>(homeRows(world, atom.home))
  const meetings = new Map<string, Meeting>()
  const ids = new Map<Row | null, number>([...anchorRows, null].map((row, i) => [row, i]))
  const meet = (anchor: Row | null, cut: readonly Value[]): Meeting => {
    const key = `${ids.get(anchor)} ${keyOfAll(cut)}`
    const known = meetings.get(key) ?? { anchor, cut, sums: new Map() }
    meetings.set(key, known)
    return known
  }
  if (cutting.length === 0) for (const row of anchorRows) meet(row, [])
  atom.facts!.forEach((fact, i) => {
    const columns = columnsOf(atom, fact)
    const way = path(world, fact, atom.home)
    for (const row of homeRows(world, fact, days[i])) {
      const anchor = follow(row, way)
      if ((anchor !== null && !anchorRows.has(anchor)) || !holds(conditions.facts[i]!, row)) continue
      const { sums } = meet(
        anchor,
        cutting.map((c) => c[i]!.of.value(rowsAt(c[i]!.steps, row))),
      )
      for (const column of columns)
        sums.set(
          `${fact}.${column}`,
          sumWith(sums.get(`${fact}.${column}`), partOf(readColumn(world, fact, row, column), row.share)),
        )
    }
  })
  const rows = new Map<string, { tuple: readonly Value[]; homes: Row[] }>()
  for (const one of meetings.values()) {
    if (!holds(conditions.anchor, one.anchor)) continue
    let cut = 0
    const tuple = dimensions.map((d) => ('anchor' in d ? d.anchor.of.value(rowsAt(d.anchor.steps, one.anchor)) : one.cut[cut++]!))
    const group = rows.get(keyOfAll(tuple)) ?? { tuple, homes: [] }
    group.homes.push(valuesOf(world, atom, one))
    rows.set(keyOfAll(tuple), group)
  }
  return rows
}

const columnsOf = ({ inputs }: Atom, object: string): readonly string[] => [
  ...new Set(inputs.flatMap(refsOf).flatMap(({ parts: [o, column] }) => (o === object ? [column!] : []))),
]

const sumWith = (sum: Value | undefined, value: Value): Value =>
  sum === undefined || sum === null ? value : value === null ? sum : add(sum, value)

function valuesOf(world: World, atom: Atom, { anchor, sums }: Meeting): Row {
  const own = columnsOf(atom, atom.home).map(
    (column) => [`${atom.home}.${column}`, readColumn(world, atom.home, anchor, column)] as const,
  )
  const summed = atom.facts!.flatMap((f) => columnsOf(atom, f).map((c) => [`${f}.${c}`, sums.get(`${f}.${c}`) ?? null] as const))
  return { values: Object.fromEntries([...own, ...summed]) }
}
