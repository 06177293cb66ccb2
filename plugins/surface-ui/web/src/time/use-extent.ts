import { useEffect, useState } from 'react'
import { execute } from '../api/grainline.js'
import type { ModelRef } from '../api/types.js'
import type { Query } from '../query/query.js'
import { cellValue } from '../results/cell-of.js'
import type { Range, TimeField } from './time-range.js'

const known = new Map<string, Promise<Range | undefined>>()

/** The first and the last day of a time in the data; `undefined` until they are known, and if the database has none. */
export function useExtent(model: ModelRef, field: TimeField | undefined): Range | undefined {
  const [found, setFound] = useState<{ readonly key: string; readonly range: Range | undefined }>()
  const key = field === undefined ? '' : JSON.stringify([model.session, model.model, field.name])
  useEffect(() => {
    if (field === undefined) return
    let isGone = false
    const asked = known.get(key) ?? extentOf(model, field)
    known.set(key, asked)
    asked
      .then((range) => isGone || setFound({ key, range }))
      .catch(() => {
        known.delete(key)
      })
    return () => {
      isGone = true
    }
  }, [model, field, key])
  return found?.key === key ? found.range : undefined
}

async function extentOf(model: ModelRef, { name }: TimeField): Promise<Range | undefined> {
  const [from, to] = await Promise.all((['asc', 'desc'] as const).map((direction) => dayAt(model, name, direction)))
  return from === undefined || to === undefined ? undefined : { from, to }
}

async function dayAt(model: ModelRef, name: string, direction: 'asc' | 'desc'): Promise<string | undefined> {
  const query: Query = {
    select: { dimensions: [`${name}:day`] },
    where: [{ field: name, op: 'is_not_null' }],
    order_by: [{ field: 1, direction }],
    limit: 1,
  }
  const { columns, rowCount } = await execute({ model, query })
  const [column] = columns
  const value = column === undefined || rowCount === 0 ? null : cellValue(column, 0)
  return typeof value === 'string' ? value.slice(0, 10) : undefined
}
