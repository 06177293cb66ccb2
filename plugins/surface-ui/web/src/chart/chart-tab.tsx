import { Button, SegmentedControl } from '@mantine/core'
import { useMemo, useRef } from 'react'
import type { Answer } from '../api/read-arrow.js'
import type { ModelRef, Schema } from '../api/types.js'
import { inWords } from '../query/in-words.js'
import type { Query } from '../query/query.js'
import { titleOf } from '../query/title-of.js'
import { formatterFor, NO_VALUE, shownValue } from '../results/format-value.js'
import { headingOf } from '../results/heading-of.js'
import { saveDrawing } from '../results/save-drawing.js'
import { comparedInWords } from '../time/compared-in-words.js'
import { chartData } from './chart-data.js'
import { kindsFor, shapeOf, TITLES } from './chart-kind.js'
import type { ChartKind, ChartLook } from './chart-look.js'
import { ChartOptions } from './chart-options.js'
import { ChartView } from './chart-view.js'
import { additiveIn } from './is-additive.js'
import { pictureOf } from './picture.js'
import { useGrouped } from './use-grouped.js'

interface Props {
  readonly model: ModelRef
  readonly schema: Schema
  readonly query: Query
  readonly answer: Answer
  readonly look: ChartLook
  readonly onLook: (look: ChartLook) => void
}

/** The answer as a chart. Its columns suggest the kind, and the user can choose another one. */
export default function ChartTab({ model, schema, query, answer: whole, look, onLook }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const { grouped, isAsking } = useGrouped({ model, query, answer: whole, look })
  const answer = grouped?.answer ?? whole
  const { columns, rowCount, timezone } = answer
  const { x, measures } = look
  const shape = useMemo(
    () => shapeOf(columns, { ...(x !== undefined && { x }), ...(measures && { measures }) }),
    [columns, x, measures],
  )
  const isAdditive = useMemo(() => additiveIn(schema), [schema])
  const kinds = useMemo(() => kindsFor(shape, rowCount, isAdditive), [shape, rowCount, isAdditive])
  const kind = kinds.find((each) => each === look.kind) ?? kinds[0]
  if (kind === undefined) return <p className="nothing">There is no number in this answer to draw.</p>
  if (kind === 'number') return <Numbers answer={answer} />
  const asked = grouped?.query ?? query
  const title = look.title ?? titleOf(asked)
  const notes = grouped === undefined ? [] : [grouped.note]
  const save = (format: 'svg' | 'png') => {
    const data = chartData({ answer, shape, kind, look, query: asked })
    const picture = pictureOf({
      plots: [...(place.current?.children ?? [])].filter((each) => each instanceof SVGSVGElement),
      series: kind === 'multiples' ? [] : data.series,
      title,
      notes: [...filtersOf(asked), ...comparedInWords(whole.receipt), ...notes, ...data.notes],
      source: sourceOf(model, answer, timezone),
    })
    void saveDrawing(picture, { name: model.name, format })
  }
  return (
    <div className="tab-body">
      <div className="tab-bar">
        <SegmentedControl
          size="xs"
          aria-label="Kind of chart"
          data={kinds.map((each) => ({ value: each, label: TITLES[each] }))}
          value={kind}
          onChange={(value) => onLook({ ...look, kind: value as ChartKind })}
        />
        <ChartOptions {...{ look, onLook, kind, columns }} title={titleOf(asked)} />
        <span className="grow" />
        {(grouped !== undefined || look.ungrouped === true) && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              const { ungrouped, ...rest } = look
              onLook(ungrouped === true ? rest : { ...rest, ungrouped: true })
            }}
          >
            {grouped === undefined ? 'Others as one group' : 'Without a group of others'}
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" onClick={() => save('svg')}>
          SVG
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={() => save('png')}>
          PNG
        </Button>
      </div>
      <h2 className="chart-title">{title}</h2>
      {isAsking ? (
        <p className="quiet" role="status">
          The largest groups are computed.
        </p>
      ) : (
        <ChartView
          {...{ answer, shape, kind, look, notes, place }}
          query={asked}
          onWithout={(without) => onLook({ ...look, without })}
        />
      )}
    </div>
  )
}

const filtersOf = (query: Query): readonly string[] => {
  const conditions = [...(query.where ?? []), ...(query.having ?? [])].map(inWords)
  return conditions.length === 0 ? [] : [`Only where ${conditions.join(', and ')}.`]
}

function sourceOf({ name }: ModelRef, { receipt, cachedAt }: Answer, timezone: string): string {
  const read = new Date(receipt?.read_at ?? cachedAt ?? Date.now())
  return `${name}, read ${read.toLocaleString()}; times in ${timezone}`
}

export function Numbers({ answer: { columns, timezone } }: { readonly answer: Answer }) {
  return (
    <div className="numbers">
      {columns.map((column) => (
        <div key={column.name}>
          <span className="quiet">{headingOf(column)}</span>
          <strong>
            {shownValue(column, 0, formatterFor(column, { locale: navigator.language, timezone, rowCount: 1 })) ?? NO_VALUE}
          </strong>
        </div>
      ))}
    </div>
  )
}
