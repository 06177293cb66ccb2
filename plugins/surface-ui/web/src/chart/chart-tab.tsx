import { Button, SegmentedControl } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Answer } from '../api/read-arrow.js'
import { formatterFor, shownValue } from '../results/format-value.js'
import { type SvgText, saveDrawing, svgText } from '../results/save-drawing.js'
import { type ChartKind, kindsFor, shapeOf, TITLES } from './chart-kind.js'
import { draw, POINTS_AT_MOST } from './draw.js'

interface Props {
  readonly answer: Answer
  readonly name: string
}

/** The answer as a chart. Its columns suggest the kind, and the user can choose another one. */
export default function ChartTab({ answer, name }: Props) {
  const { columns, rowCount, timezone } = answer
  const shape = useMemo(() => shapeOf(columns), [columns])
  const kinds = useMemo(() => kindsFor(shape, rowCount), [shape, rowCount])
  const [chosen, setChosen] = useState<ChartKind>()
  const { ref: box, width, height } = useElementSize()
  const place = useRef<HTMLDivElement>(null)
  const kind = chosen !== undefined && kinds.includes(chosen) ? chosen : kinds[0]

  useEffect(() => {
    if (kind === undefined || kind === 'number' || width === 0) return
    place.current?.replaceChildren(...draw({ kind, shape, columns, rowCount, timezone, width, height }))
  }, [kind, shape, columns, rowCount, timezone, width, height])

  if (kind === undefined) return <p className="nothing">There is no number in this answer to draw.</p>
  if (kind === 'number') return <Numbers answer={answer} />
  return (
    <div className="tab-body">
      <div className="tab-bar">
        <SegmentedControl
          size="xs"
          aria-label="Kind of chart"
          data={kinds.map((each) => ({ value: each, label: TITLES[each] }))}
          value={kind}
          onChange={(value) => setChosen(value as ChartKind)}
        />
        <span className="grow" />
        {rowCount > POINTS_AT_MOST && <span className="quiet">The first {POINTS_AT_MOST.toLocaleString()} rows are drawn.</span>}
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => void saveDrawing(drawingIn(place.current), { name, format: 'svg' })}
        >
          SVG
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => void saveDrawing(drawingIn(place.current), { name, format: 'png' })}
        >
          PNG
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section className="chart" aria-label="Chart" tabIndex={0}>
        <div ref={box} className="chart-room">
          <div ref={place} />
        </div>
      </section>
    </div>
  )
}

function Numbers({ answer: { columns, timezone } }: { readonly answer: Answer }) {
  return (
    <div className="numbers">
      {columns.map((column) => (
        <div key={column.name}>
          <span className="quiet">{column.name}</span>
          <strong>{shownValue(column, 0, formatterFor(column, { locale: navigator.language, timezone })) ?? 'null'}</strong>
        </div>
      ))}
    </div>
  )
}

/** The largest drawing inside the element; legends have small ones. */
function drawingIn(place: HTMLElement | null): SvgText | undefined {
  const drawings = [...(place?.querySelectorAll('svg') ?? [])].toSorted(
    (a, b) => b.clientWidth * b.clientHeight - a.clientWidth * a.clientHeight,
  )
  const [svg] = drawings
  if (svg === undefined) return undefined
  const copy = svg.cloneNode(true) as SVGElement
  copy.setAttribute('color', getComputedStyle(svg).color)
  return svgText(copy, { width: svg.clientWidth, height: svg.clientHeight })
}
