/** Aggregates of aggregates: a base per further dimensions, aggregated within each row. */
import { aggregate, canonicalAggregation, isCount } from './aggregates.js'
import { rowsAlone } from './compared-rows.js'
import { atomNames } from './components.js'
import { type Asked, askedDimension } from './fields.js'
import { groupBy } from './group-by.js'
import { type Block, blockOf, type Level, levelOf } from './levels.js'
import type { MetricJson } from './model.js'
import { finest } from './periods.js'
import { sheetOf } from './sheet.js'
import { int, keyOfAll } from './values.js'
import type { World } from './world.js'

/**
 * The dimensions of the inner query: those of the row, then each further one (at the grain of the query if it is selected; each value
 * separate).
 */
export function innerDimensions(
  world: World,
  metric: MetricJson,
  outer: readonly Asked[],
  asked: readonly Asked[],
): readonly Asked[] {
  const further = (metric.per ?? []).map((name) => {
    const selected = finest(asked.filter((a) => a.name === name)) ?? askedDimension(world, name)
    // Within the group of the others, each value stays separate.
    return selected.top ? { ...selected.top.plain, text: `${selected.text} (own)` } : selected
  })
  return [...outer, ...further.filter((f) => !outer.some((o) => o.text === f.text))]
}

export function aggregateBlock(level: Level, metric: MetricJson): Block {
  const { world } = level
  const base = metric.measure!
  const dimensions = innerDimensions(world, metric, level.dimensions, level.asked)
  const asked = [...level.asked, ...dimensions.filter((d) => !level.asked.includes(d))]
  const { gaps: _, ...withoutGaps } = level
  const inner = levelOf({ ...withoutGaps, asked, dimensions })
  const atoms = atomNames(world, base)
  const { tuples, column } = sheetOf(inner, rowsAlone(inner, [base]))
  const values = column(base)
  const rows = tuples.map((tuple, i) => ({ tuple: tuple.slice(0, level.dimensions.length), value: values[i]! }))
  const fold = { name: metric.aggregation!, distinct: false, delimiter: '' }
  const groups = [...groupBy(rows, (r) => keyOfAll(r.tuple))].map(([key, [first, ...rest]]) => {
    const members = [first!, ...rest]
    return [
      key,
      {
        tuple: first!.tuple,
        value: aggregate(
          fold,
          members.map((m) => [m.value]),
        ),
      },
    ] as const
  })
  return {
    at: level.dimensions.map((_, i) => i),
    groups: new Map(groups),
    applied: atoms.flatMap((a) => blockOf(inner, a).applied),
    absent: isCount(canonicalAggregation(metric.aggregation!)) ? int(0) : null,
  }
}
