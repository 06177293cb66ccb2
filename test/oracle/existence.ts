/** Whether rows of an object connect with a row, as a column: no condition or path of a query reaches inside. */
import { foundFrom } from './conditions.js'
import type { FilterJson } from './model.js'
import { refuse } from './refusal.js'
import type { Row, World } from './world.js'

export interface Existence {
  readonly target: string
  readonly pathName: string | undefined
  /** All hold for a row of the target. */
  readonly filters: readonly FilterJson[]
}

const NOW = new Date('2026-01-15T12:00:00Z')

/** The column, for each row of its object; whether it is refused does not depend on rows. A filter that leaves only rows by what it leaves is refused. */
export function foundRows(world: World, object: string, name: string): (row: Row) => boolean {
  const memo = `found ${object}.${name}`
  const known = world.memo.get(memo) as ((row: Row) => boolean) | 'open' | undefined
  if (known === 'open') return refuse('CYCLIC_FILTER', `${object}.${name}`)
  if (known) return known
  world.memo.set(memo, 'open')
  try {
    const plain = world.with([])
    const open = [...world.memo].filter(([, one]) => one === 'open')
    const inner: World = { ...plain, memo: new Map(open) }
    const found = foundFrom(
      { world: inner, now: NOW, home: object, asked: [] },
      object,
      plain.things.get(object)!.columns.get(name)!.exists!,
    )
    world.memo.set(memo, found)
    return found
  } catch (error) {
    world.memo.delete(memo)
    throw error
  }
}
