import { Button, SegmentedControl } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Answer } from '../api/read-arrow.js'
import { formatterFor, shownValue } from '../results/format-value.js'
import { saveAs } from '../results/save-as.js'
import { type ChartKind, kindsFor, shapeOf, TITLES } from './chart-kind.js'
import { draw, POINTS_AT_MOST } from './draw.js'

interface Props {
  readonly answer: Answer
  readonly name: string
}

/** The answer as a picture; what it is follows from its columns, and a person may choose another one. */
export default function ChartTab({ answer, name }: Props) {
  const { columns, rowCount, timezone } = answer
  const shape = useMemo(() => shapeOf(columns), [columns])
  const kinds = useMemo(() => kindsFor(shape, rowCount), [shape, rowCount])
  const [chosen, setChosen] = useState<ChartKind>()
  const { ref: box, width } = useElementSize()
  const place = useRef<HTMLDivElement>(null)
  const kind = chosen !== undefined && kinds.includes(chosen) ? chosen : kinds[0]

  useEffect(() => {
    if (kind === undefined || kind === 'number' || width === 0) return
    place.current?.replaceChildren(...draw({ kind, shape, rowCount, timezone, width }))
  }, [kind, shape, rowCount, timezone, width])

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
        <Button size="compact-sm" variant="subtle" onClick={() => saveSvg(place.current, name)}>
          SVG
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={() => void savePng(place.current, name)}>
          PNG
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section ref={box} className="chart" aria-label="Chart" tabIndex={0}>
        <div ref={place} />
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

/** The largest drawing of the place: legends have small ones of their own. */
function textOf(
  place: HTMLElement | null,
): { readonly text: string; readonly width: number; readonly height: number } | undefined {
  const drawings = [...(place?.querySelectorAll('svg') ?? [])].toSorted(
    (a, b) => b.clientWidth * b.clientHeight - a.clientWidth * a.clientHeight,
  )
  const [svg] = drawings
  if (svg === undefined) return undefined
  const copy = svg.cloneNode(true) as SVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('color', getComputedStyle(svg).color)
  return { text: new XMLSerializer().serializeToString(copy), width: svg.clientWidth, height: svg.clientHeight }
}

function saveSvg(place: HTMLElement | null, name: string): void {
  const drawing = textOf(place)
  if (drawing) saveAs(new Blob([drawing.text], { type: 'image/svg+xml' }), `${name}.svg`)
}

async function savePng(place: HTMLElement | null, name: string): Promise<void> {
  const drawing = textOf(place)
  if (!drawing) return
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing.text)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = drawing.width * 2
  canvas.height = drawing.height * 2
  const pen = canvas.getContext('2d')!
  pen.fillStyle = getComputedStyle(place!).getPropertyValue('--panel')
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(image, 0, 0, canvas.width, canvas.height)
  canvas.toBlob((blob) => blob && saveAs(blob, `${name}.png`))
}
