import { INT } from '../model/data-type.js'
import { bucket } from '../resolve/bucket.js'
import { allOf, binary, call, integer, isNotNull, text } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { Conversion, ResolvedDimension } from '../resolve/resolved-query.js'
import { type LogicalPlan, sameColumn } from './logical-plan.js'
import type { Rows } from './rows.js'
import type { RowsContext } from './rows-context.js'

/** The events of both sides of a conversion, each (entity, time) once, as relations under these aliases. */
export interface ConversionEvents {
  readonly base: { readonly plan: LogicalPlan; readonly alias: string }
  readonly conversion: { readonly plan: LogicalPlan; readonly alias: string }
}

/** True of the home rows that convert: their (entity, time) is looked up among those that a conversion event follows in time. */
export function converts(home: Rows, conversion: Conversion, events: ConversionEvents, context: RowsContext): RowExpr {
  const [entity, time] = conversion.base.dimensions as readonly [ResolvedDimension, ResolvedDimension]
  const alias = context.aliases.derived(home.root.object, '_converted')
  const columns = [entity, time].map((d) => sameColumn(d, events.base.alias))
  const hit = context.aliases.column('hit')
  const right: LogicalPlan = {
    kind: 'distinct',
    input: followed(conversion, events),
    alias,
    columns: [...columns, { name: hit, expression: integer(1), type: INT }],
    reason: 'each event once, however many events follow it',
  }
  const on = allOf([entity, time].map((d) => binary('=', valueAt(home, d, context), relationColumn(alias, d.name, d.type))))!
  const label = { from: home.root.object, to: alias, columns: [entity.label, time.label], reason: 'whether the event converts' }
  home.attach(right, on, label)
  return isNotNull<RelationColumn>(relationColumn(alias, hit, INT))
}

function valueAt(home: Rows, { members, grain }: ResolvedDimension, { time }: RowsContext): RowExpr {
  const [member] = members
  const value = home.value(member!)
  return grain ? bucket(value, member!.type, grain, time) : value
}

/** Events with every later event of the same entity that comes in time. */
function followed({ base, conversion, unit, count }: Conversion, events: ConversionEvents): LogicalPlan {
  const read = (alias: string, { name, type }: ResolvedDimension): RowExpr => relationColumn(alias, name, type)
  const [who, when] = base.dimensions.map((d) => read(events.base.alias, d)) as [RowExpr, RowExpr]
  const [whoNext, whenNext] = conversion.dimensions.map((d) => read(events.conversion.alias, d)) as [RowExpr, RowExpr]
  const { type } = base.dimensions[1]!
  const at = (value: RowExpr): RowExpr => (type.kind === 'timestamp_tz' ? call('in_zone', value, text('UTC')) : value)
  const last = call('date_add', text(unit), integer(count), at(when))
  const on = allOf([binary('=', who, whoNext), binary('>', at(whenNext), at(when)), binary('<=', at(whenNext), last)])!
  const label = {
    from: base.home,
    to: conversion.home,
    columns: base.dimensions.map((d) => d.label),
    reason: `a later event of the same entity within ${count} ${unit}`,
  }
  return { kind: 'join', type: 'inner', left: events.base.plan, right: events.conversion.plan, on, label }
}
