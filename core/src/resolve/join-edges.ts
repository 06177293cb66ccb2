import { type Term, turned } from '../model/join-term.js'
import type { Join } from '../model/semantic-model.js'

/** A forward step: every row on the `from` side matches at most one row on the `to` side. */
export interface Edge {
  readonly from: string
  readonly to: string
  /** Without terms for a `part`. */
  readonly on: readonly Term<string>[]
  readonly required: boolean
  /** Each row whose columns in `on` are not NULL has a match. */
  readonly foreignKey: boolean
  readonly pathName: string | undefined
  /** `part` leads from the matching pairs of a many-to-many join to one of its two objects. */
  readonly kind: 'join' | 'part'
  /** False for the reverse direction of a one-to-one join, which the other side declares. */
  readonly declared: boolean
  readonly oneToOne: boolean
}

/** The rows of a many-to-many join: its matching (left, right) pairs. */
export interface Pair {
  readonly name: string
  readonly left: string
  readonly right: string
  /** From the left to the right. */
  readonly on: readonly Term<string>[]
}

/** Adds the forward steps of a join, and the pairs of a many-to-many one. */
export function addJoin(join: Join, forward: Map<string, Edge[]>, pairs: Map<string, Pair>): void {
  const { from, to, on, required, foreignKey, pathName } = join
  const add = (edge: Edge): void => {
    const list = forward.get(edge.from)
    if (list) list.push(edge)
    else forward.set(edge.from, [edge])
  }
  switch (join.cardinality) {
    case 'many-to-one':
      add({ from, to, on, required, foreignKey, pathName, kind: 'join', declared: true, oneToOne: false })
      break
    case 'one-to-one':
      add({ from, to, on, required, foreignKey, pathName, kind: 'join', declared: true, oneToOne: true })
      add({
        from: to,
        to: from,
        on: turned(on),
        required: false,
        foreignKey: false,
        pathName,
        kind: 'join',
        declared: false,
        oneToOne: true,
      })
      break
    case 'many-to-many': {
      const name = pairName(join, pairs)
      pairs.set(name, { name, left: from, right: to, on })
      for (const part of [from, to]) {
        const step = { from: name, to: part, on: [], required: false, foreignKey: false, pathName }
        add({ ...step, kind: 'part', declared: true, oneToOne: false })
      }
    }
  }
}

function pairName(join: Join, pairs: ReadonlyMap<string, Pair>): string {
  const base = `${join.from} ⋈ ${join.to}`
  return pairs.has(base) ? `${base} (${join.pathName ?? pairs.size})` : base
}
