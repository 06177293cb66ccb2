import { useMemo, useState } from 'react'
import type { ModelRef } from '../api/types.js'
import type { Field } from '../model/fields.js'
import { dimensionsOf, nameOf, type Query } from '../query/query.js'
import { ComparePicker } from './compare-picker.js'
import { type Compare, compareOf, kindOf, withCompare } from './comparison.js'
import { RangePicker } from './range-picker.js'
import { timeFieldsOf } from './time-fields.js'
import { rangeIn, rangeOf, SPANS, withRange } from './time-range.js'
import { useExtent } from './use-extent.js'

interface Props {
  readonly model: ModelRef
  readonly fields: readonly Field[]
  /** The dimensions that fit the query; all until they are known. */
  readonly fitting: ReadonlySet<string> | undefined
  readonly query: Query
  readonly onChange: (query: Query) => void
}

/** The days that a question asks about, as filters of its query. */
export default function TimeControl({ model, fields, fitting, query, onChange }: Props) {
  const [chosen, setChosen] = useState<string>()
  const [isOpened, setOpened] = useState(false)
  const times = useMemo(() => timeFieldsOf(fields), [fields])
  const asked = new Set(dimensionsOf(query).map(nameOf))
  const offered = times.filter(({ name }) => fitting === undefined || fitting.has(name) || asked.has(name))
  const field =
    offered.find((each) => rangeIn(query, each) !== undefined) ??
    offered.find(({ name }) => name === chosen) ??
    offered.find(({ name }) => asked.has(name)) ??
    offered[0]
  // The database is asked for the first and last day when somebody wants to know them.
  const extent = useExtent(model, isOpened ? field : undefined)
  const range = field && rangeIn(query, field)
  const span = range && extent && SPANS.find((each) => JSON.stringify(rangeOf(each, extent.to)) === JSON.stringify(range))
  if (field === undefined) return null
  const own = compareOf(query)
  const compare = own?.time === field.name ? own : undefined
  return (
    <RangePicker
      fields={offered}
      {...{ field, extent, range, span }}
      onOpen={() => setOpened(true)}
      onField={(next) => {
        setChosen(next.name)
        const moved = withRange(withRange(query, field, undefined), next, range)
        onChange(withCompare(moved, compare && { ...compare, time: next.name }))
      }}
      onSpan={(wanted) => extent && onChange(withRange(query, field, rangeOf(wanted, extent.to)))}
      onRange={(days) => {
        const asked = withRange(query, field, days)
        onChange(days === undefined ? withCompare(asked, undefined) : asked)
      }}
      against={against(compare)}
    >
      <ComparePicker
        time={field.name}
        compare={compare}
        disabled={range === undefined}
        onChange={(wanted) => onChange(withCompare(query, wanted))}
      />
    </RangePicker>
  )
}

/** What the button says of a comparison. */
function against(compare: Compare | undefined): string | undefined {
  const { count = 1, unit = '' } = compare ?? {}
  switch (kindOf(compare)) {
    case 'none':
      return undefined
    case 'before':
      return 'against the period before'
    case 'year':
      return 'against a year before'
    case 'custom':
      return `against ${count} ${unit}${count === 1 ? '' : 's'} before`
  }
}
