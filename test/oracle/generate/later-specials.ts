/** NaN, the infinities and −0 among the doubles of a model. */
import type { ModelJson, ObjectJson, PlainRow, Tables } from '../model.js'
import { storageOf } from '../storage.js'
import { kindOf } from '../world.js'
import { SPECIALS } from './pools.js'
import type { Random } from './random.js'

/** In most models some cells of some columns. Drawn from a separate random source, so that the rest of a case is the same without them. */
export function withSpecials(random: Random, model: ModelJson, data: Tables): Tables {
  if (random.chance(0.35)) return data
  const tables = Object.entries(data).map(([name, rows]) => {
    const columns = doublesOf(model.dataObjects[name]!).filter(() => random.chance(0.8))
    return [name, rows.map((row) => heavy(model.dataObjects[name]!, withCells(random, columns, row)))] as const
  })
  return Object.fromEntries(tables)
}

/** Without a weight of zero: the product with an infinite value depends on whether weights or weighted values are added first. */
const heavy = ({ weight }: ObjectJson, row: PlainRow): PlainRow =>
  weight !== undefined && row[weight] !== null && Number(row[weight]) === 0 ? { ...row, [weight]: 1 } : row

function withCells(random: Random, columns: readonly string[], row: PlainRow): PlainRow {
  const cells = columns.flatMap((c) => (random.chance(0.4) ? [[c, random.pick(SPECIALS)] as const] : []))
  return { ...row, ...Object.fromEntries(cells) }
}

/** The columns that are stored as doubles or floats; the weights of bridges are outside the contract. */
const doublesOf = ({ columns, weight }: ObjectJson): string[] =>
  Object.entries(columns).flatMap(([name, column]) => {
    const storage = storageOf(column)?.storage
    const isDouble = kindOf(column) === 'float' && (storage === undefined || storage === 'real')
    return isDouble && column.expression === undefined && name !== weight ? [name] : []
  })
