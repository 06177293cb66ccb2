import { TextInput } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Answer } from '../api/read-arrow.js'
import type { Query } from '../query/query.js'
import { type ChartData, chartData, OTHERS, type Series } from './chart-data.js'
import type { Shape } from './chart-kind.js'
import type { ChartKind, ChartLook } from './chart-look.js'
import { draw } from './draw.js'

interface Props {
  readonly answer: Answer
  readonly query: Query
  readonly shape: Shape
  readonly kind: ChartKind
  readonly look: ChartLook
  /** Sentences about the query of the chart, before those about its rows. */
  readonly notes?: readonly string[]
  /** Leaves a series out, or draws it again; without it, the legend cannot be changed. */
  readonly onWithout?: (names: readonly string[]) => void
  /** The drawings, for pictures. */
  readonly place?: RefObject<HTMLDivElement | null>
}

/** The drawing of an answer with its legend, and what it leaves out. */
export function ChartView({ answer, query, shape, kind, look, notes = [], onWithout, place }: Props) {
  const own = useRef<HTMLDivElement>(null)
  const target = place ?? own
  const { ref: box, width, height } = useElementSize()
  const isFixed = onWithout === undefined
  const data = useMemo(
    () => chartData({ answer, shape, kind, look, query, isFixed }),
    [answer, shape, kind, look, query, isFixed],
  )
  useEffect(() => {
    if (width === 0) return
    const { line, shares } = look
    target.current?.replaceChildren(
      ...draw({ kind, shape, data, width, height, line, shares: shares === true && kind === 'stacked' }),
    )
  }, [target, kind, shape, data, width, height, look])
  return (
    <div className="chart-view">
      <Notes notes={[...notes, ...data.notes]} />
      <div className="chart-and-legend">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
        <section className="chart" aria-label="Chart" tabIndex={0}>
          <div ref={box} className="chart-room">
            <div ref={target} />
          </div>
        </section>
        {data.series.length > 0 && kind !== 'multiples' && (
          <Legend series={data.series} without={data.without} onWithout={onWithout} />
        )}
        {kind === 'bar' && data.others !== undefined && onWithout !== undefined && (
          <Legend
            series={[{ name: data.others, colour: OTHERS, isDrawn: !data.without.includes(data.others) }]}
            without={data.without}
            onWithout={onWithout}
          />
        )}
      </div>
    </div>
  )
}

export function Notes({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <ul className="warnings chart-notes" aria-label="About this chart">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}

interface LegendProps {
  readonly series: ChartData['series']
  readonly without: readonly string[]
  readonly onWithout: ((names: readonly string[]) => void) | undefined
}

/** Fewer names are found without a search. */
const SEARCHED_FROM = 9
const LISTED_AT_MOST = 60

function Legend({ series, without, onWithout }: LegendProps) {
  const [search, setSearch] = useState('')
  const found = series.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  const listed = found.slice(0, LISTED_AT_MOST)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <section className="legend" aria-label="Legend" tabIndex={0}>
      {series.length >= SEARCHED_FROM && (
        <TextInput
          size="xs"
          aria-label="Search the legend"
          placeholder={`Search ${series.length.toLocaleString()} series`}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {listed.map((each) => (
        <Entry key={each.name} series={each} {...{ without, onWithout }} />
      ))}
      {listed.length < found.length && <span className="quiet">and {(found.length - listed.length).toLocaleString()} more</span>}
      {found.length === 0 && <span className="quiet">No series has that name.</span>}
    </section>
  )
}

function Entry({
  series: { name, colour, isDrawn },
  without,
  onWithout,
}: Omit<LegendProps, 'series'> & { readonly series: Series }) {
  const label = (
    <span className="legend-name" title={name}>
      <svg width="11" height="11" aria-hidden="true">
        <rect width="11" height="11" rx="2" fill={isDrawn ? colour : 'none'} stroke={isDrawn ? colour : 'currentColor'} />
      </svg>
      {name}
    </span>
  )
  if (onWithout === undefined) return isDrawn ? label : null
  return (
    <label className="legend-entry">
      <input
        type="checkbox"
        checked={!without.includes(name)}
        onChange={(event) =>
          onWithout(event.currentTarget.checked ? without.filter((each) => each !== name) : [...without, name])
        }
      />
      {label}
    </label>
  )
}
