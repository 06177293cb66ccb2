/** Dimensions that take the first present value of several dimensions of a fact. */
import type { ColumnJson, ModelJson } from '../model.js'
import { kindOf } from '../world.js'
import type { Random } from './random.js'

interface Coalesce {
  readonly coalesce: readonly string[]
  readonly as: string
  readonly grain?: string
}

/** For any dimension; undefined if there is no other one. */
export const coalesce = (random: Random, model: ModelJson, all: readonly string[]): Coalesce | undefined =>
  coalesceOf(random, model, random.pick(all.filter((n) => !model.dimensions![n]!.bins)))

/** A coalesce of the dimension `first` and others like it. */
export function coalesceOf(random: Random, model: ModelJson, first: string): Coalesce | undefined {
  if (hasOneToOne(model)) return undefined
  const same = Object.keys(model.dimensions ?? {}).filter((n) => n !== first && isLike(model, n, first))
  if (same.length === 0) return undefined
  const isTime = ['date', 'timestamp'].includes(kindOf(columnOf(model, first)))
  const grain = isTime && random.chance(0.4) ? random.pick(['day', 'week', 'month', 'year']) : undefined
  return {
    coalesce: [first, ...random.some(same, random.between(1, 2))],
    as: 'any of them',
    ...(grain !== undefined && { grain }),
  }
}

function isLike(model: ModelJson, name: string, other: string): boolean {
  const [a, b] = [model.dimensions![name]!, model.dimensions![other]!]
  if (isWide(columnOf(model, name)) || isWide(columnOf(model, other))) return false
  return !a.bins && !b.bins && a.timeGrain === b.timeGrain && kindOf(columnOf(model, name)) === kindOf(columnOf(model, other))
}

/** A number whose exact type depends on what a measure or a window adds. */
const isWide = (column: ColumnJson): boolean =>
  (column.measure !== undefined || column.window?.function === 'sum') && ['int', 'decimal'].includes(kindOf(column))

/** Which row of a one-to-one pair a coalesce means is not defined. */
const hasOneToOne = (model: ModelJson): boolean =>
  Object.values(model.dataObjects).some((o) => o.joins?.some((j) => j.joinType === 'one-to-one'))

function columnOf(model: ModelJson, dimension: string) {
  const { dataObject, column } = model.dimensions![dimension]!
  return model.dataObjects[dataObject]!.columns[column!]!
}
