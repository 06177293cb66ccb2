/** Charts by Observable Plot. */
import * as Plot from '@observablehq/plot'
import type { Answer, Column } from '../api/read-arrow.js'
import { formatterFor, shownValue } from '../results/format-value.js'
import { nonce } from '../shell/nonce.js'
import { categoryNames } from './category-names.js'
import type { ChartKind, Shape } from './chart-kind.js'

export interface Drawing extends Pick<Answer, 'columns' | 'rowCount' | 'timezone'> {
  readonly kind: ChartKind
  readonly shape: Shape
  /** The available space. */
  readonly width: number
  readonly height: number
}

interface Point {
  readonly x: Date | string
  readonly series: string
  readonly y: number | null
  readonly y2: number | null
}

/** Maximum number of distinguishable series that are drawn at once. */
export const POINTS_AT_MOST = 5000
const COLOURS = [
  '#3b5bdb',
  '#e8590c',
  '#2b8a3e',
  '#9c36b5',
  '#0b7285',
  '#c2255c',
  '#866118',
  '#495057',
  '#5f3dc4',
  '#1098ad',
  '#a61e4d',
  '#5c940d',
]

/** One chart for each number, because each has its own scale; points need two numbers. */
export function draw(drawing: Drawing): (SVGSVGElement | HTMLElement)[] {
  const { kind, shape } = drawing
  const [first, second] = shape.numbers
  if (first === undefined) return []
  const plots =
    kind === 'scatter' && second !== undefined
      ? [scatter(drawing, first, second)]
      : shape.numbers.map((number) => one(drawing, number))
  for (const plot of plots) finish(plot)
  return plots
}

/** It uses the styles of the page, and is a single image for screen readers. */
function finish(plot: SVGSVGElement | HTMLElement): void {
  for (const style of plot.querySelectorAll('style')) style.nonce = nonce()
  for (const group of plot.querySelectorAll('g[aria-label], g[aria-description]')) {
    group.removeAttribute('aria-label')
    group.removeAttribute('aria-description')
  }
  const drawings = plot instanceof SVGSVGElement ? [plot] : [...plot.querySelectorAll('svg')]
  for (const svg of drawings)
    svg.setAttribute(svg.hasAttribute('aria-label') ? 'role' : 'aria-hidden', svg.hasAttribute('aria-label') ? 'img' : 'true')
}

function one(drawing: Drawing, number: Column) {
  const { kind, shape, rowCount, width, height, timezone } = drawing
  const points = pointsOf(drawing, number)
  const color = {
    legend: shape.categories.length > (shape.time === undefined ? 1 : 0),
    range: COLOURS,
    type: 'categorical' as const,
    tickFormat: shortened,
  }
  const common = {
    width,
    marginRight: 26,
    color,
    ariaLabel: `${number.name} by ${namesOf(shape)}`,
    style: { background: 'transparent', fontSize: '12px' },
  }
  const colour = color.legend ? 'series' : COLOURS[0]!
  const isTime = shape.time !== undefined
  if (kind === 'multiples') return multiples(points, { number, width, height, isTime, label: common.ariaLabel })
  const high = heightOfEach(height, shape.numbers.length, color.legend)
  if (kind === 'line') {
    const marks = [
      Plot.ruleY([0]),
      Plot.lineY(points, { x: 'x', y: 'y', stroke: colour, strokeWidth: 2, tip: true }),
      Plot.dot(points, { x: 'x', y: 'y', fill: colour, r: 2.5 }),
    ]
    return Plot.plot({
      ...common,
      height: high,
      x: { label: null },
      y: { label: number.name, grid: true, ticks: 7, tickFormat: tickFormat(points) },
      marks,
    })
  }
  if (shape.time !== undefined) {
    return Plot.plot({
      ...common,
      height: high,
      x: { type: 'band', label: null, tickFormat: bucketNames(shape.time, { rowCount, timezone }), ...everyFew(points, width) },
      y: { label: number.name, grid: true, ticks: 7, tickFormat: tickFormat(points) },
      marks: [Plot.barY(points, { x: 'x', y: 'y', fill: colour, tip: true }), Plot.ruleY([0])],
    })
  }
  const names = [...new Set(points.map(({ x }) => String(x)))]
  const marginLeft = Math.min(220, Math.max(60, ...names.map((name) => shortened(name).length * 7)))
  return Plot.plot({
    ...common,
    height: Math.max(130, names.length * 24 + 70),
    marginLeft,
    marginBottom: 46,
    x: { label: number.name, labelOffset: 40, grid: true, tickFormat: tickFormat(points) },
    y: { label: null, domain: names, tickFormat: shortened },
    marks: [Plot.barX(points, { x: 'y', y: 'x', fill: colour, tip: true }), Plot.ruleX([0])],
  })
}

/** A chart fills the available space; several share it while each is readable. */
function heightOfEach(room: number, count: number, hasLegend: boolean): number {
  return Math.max(240, Math.min(560, Math.floor(room / count) - (hasLegend ? 56 : 8)))
}

interface Multiples {
  readonly number: Column
  readonly width: number
  readonly height: number
  readonly isTime: boolean
  readonly label: string
}

/** A readable number of charts; each needs space. */
const MULTIPLES_AT_MOST = 24
const ROOM = 230

/** One small chart for each series, all with the same scales. */
function multiples(points: readonly Point[], { number, width, height, isTime, label }: Multiples) {
  const names = [...new Set(points.map(({ series }) => series))].slice(0, MULTIPLES_AT_MOST)
  const place = new Map(names.map((name, at) => [name, at]))
  const across = Math.max(1, Math.min(names.length, Math.floor(width / ROOM)))
  const [fx, fy] = [(name: string) => place.get(name)! % across, (name: string) => Math.floor(place.get(name)! / across)]
  const kept = points.filter(({ series }) => place.has(series))
  const facets = { fx: ({ series }: Point) => fx(series), fy: ({ series }: Point) => fy(series) }
  const bars = new Set(kept.map(({ x }) => String(x))).size
  const down = Math.ceil(names.length / across)
  const high = isTime ? Math.max(110, Math.min(240, Math.floor((height - 60) / down) - 34)) : Math.max(90, bars * 17)
  const marks = isTime
    ? [
        Plot.ruleY([0], { strokeOpacity: 0.3 }),
        Plot.lineY(kept, { x: 'x', y: 'y', ...facets, stroke: COLOURS[0]!, strokeWidth: 1.6, tip: true }),
      ]
    : [Plot.barX(kept, { x: 'y', y: 'x', ...facets, fill: COLOURS[0]!, tip: true }), Plot.ruleX([0])]
  const longest = Math.max(0, ...kept.map(({ x }) => String(x).length))
  return Plot.plot({
    width,
    height: down * (high + 34) + 50,
    marginRight: 20,
    marginLeft: isTime ? 50 : Math.min(180, Math.max(60, longest * 7)),
    marginTop: 34,
    ariaLabel: label,
    style: { background: 'transparent', fontSize: '12px' },
    fx: { axis: null, padding: 0.08 },
    fy: { axis: null, padding: 0.24 },
    x: isTime ? { label: null, ticks: 3 } : { label: number.name, grid: true, tickFormat: tickFormat(points), ticks: 3 },
    y: isTime ? { label: number.name, grid: true, tickFormat: tickFormat(points), ticks: 4 } : { label: null },
    marks: [
      ...marks,
      Plot.text(names, {
        fx,
        fy,
        text: shortened,
        frameAnchor: 'top-left',
        dy: -14,
        fontWeight: 600,
      }),
    ],
  })
}

function scatter(drawing: Drawing, first: Column, second: Column) {
  const { width, height } = drawing
  const points = pointsOf(drawing, first, second)
  const marks = [
    Plot.dot(points, {
      x: 'y',
      y: 'y2',
      stroke: COLOURS[0]!,
      fill: COLOURS[0]!,
      fillOpacity: 0.25,
      title: (point: Point) => `${point.x} ${point.series}`,
      tip: true,
    }),
  ]
  return Plot.plot({
    width,
    height: heightOfEach(height, 1, false),
    marginBottom: 46,
    marginRight: 26,
    ariaLabel: `${second.name} by ${first.name}`,
    style: { background: 'transparent', fontSize: '12px' },
    grid: true,
    x: { label: first.name, labelOffset: 40, tickFormat: tickFormat(points) },
    y: { label: second.name, tickFormat: tickFormat(points, 'y2') },
    marks,
  })
}

function pointsOf(
  { shape: { time, categories }, columns, rowCount: all, timezone }: Drawing,
  number: Column,
  other?: Column,
): Point[] {
  const rowCount = Math.min(all, POINTS_AT_MOST)
  const names = categories.map((column) => {
    const format = formatterFor(column, { locale: navigator.language, timezone })
    return categoryNames({ columns, rowCount }, column, (row) => shownValue(column, row, format))
  })
  return Array.from({ length: rowCount }, (_, row) => {
    const [head = '', ...tail] = names.map((each) => each[row]!)
    const [x, series] =
      time === undefined ? [head, tail.join(', ') || head] : [dateAt(time, row), [head, ...tail].filter(Boolean).join(', ')]
    return { x, series, y: numberAt(number, row), y2: other === undefined ? null : numberAt(other, row) }
  })
}

function numberAt(column: Column, row: number): number | null {
  const value = column.at(row)
  return value === null || value === undefined ? null : Number(value)
}

/** Thousands and millions have letters; larger and smaller numbers have powers of ten. */
function tickFormat(points: readonly Point[], of: 'y' | 'y2' = 'y'): string | ((value: number) => string) {
  const largest = points.reduce((most, point) => Math.max(most, Math.abs(point[of] ?? 0)), 0)
  if (largest >= 1e24 || (largest > 0 && largest < 1e-6)) return '.1e'
  const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 })
  return (value) => short.format(value)
}

/** A text shortened for a legend or an axis. */
const shortened = (name: string): string => ([...name].length > 30 ? `${[...name].slice(0, 29).join('')}…` : name)

/** The axis omits a bucket without a time. */
const dateAt = (column: Column, row: number): Date => new Date(column.at(row) === null ? Number.NaN : Number(column.at(row)))

/** The label of each bucket as in the rows: a month without its day. */
function bucketNames(time: Column, { rowCount, timezone }: { readonly rowCount: number; readonly timezone: string }) {
  const format = formatterFor(time, { locale: navigator.language, timezone })
  const names = new Map<number, string>()
  for (let row = 0; row < Math.min(rowCount, POINTS_AT_MOST); row++)
    names.set(dateAt(time, row).getTime(), shownValue(time, row, format) ?? '')
  return (date: Date): string => names.get(date.getTime()) ?? date.toISOString().slice(0, 10)
}

/** The width of the label of a bucket in pixels. */
const BUCKET = 76

/** Every n-th time, so that the labels fit. */
function everyFew(points: readonly Point[], width: number): { readonly ticks?: Date[] } {
  const times = [...new Set(points.map(({ x }) => Number(x)))].toSorted((a, b) => a - b)
  const step = Math.ceil((times.length * BUCKET) / width)
  return step <= 1 ? {} : { ticks: times.filter((_, n) => n % step === 0).map((time) => new Date(time)) }
}

const namesOf = ({ time, categories }: Shape): string =>
  [time, ...categories].flatMap((column) => column?.name ?? []).join(' and ')
