/** Charts by Observable Plot. */
import * as Plot from '@observablehq/plot'
import type { Column } from '../api/read-arrow.js'
import { headingOf } from '../results/heading-of.js'
import { nonce } from '../shell/nonce.js'
import { axisFormat } from './axis-format.js'
import { barLabels } from './bar-labels.js'
import { brokenLines } from './broken-lines.js'
import { type ChartData, COLOURS, OTHERS, type Point } from './chart-data.js'
import type { Shape } from './chart-kind.js'
import type { ChartKind } from './chart-look.js'
import { placeTips } from './place-tips.js'
import { sharedExtremes } from './shared-extremes.js'

export interface Drawing {
  readonly kind: ChartKind
  readonly shape: Shape
  readonly data: ChartData
  /** The available space. */
  readonly width: number
  readonly height: number
  /** A line across the chart. */
  readonly line?: number | undefined
  /** Bars of a place add up to 100 %. */
  readonly shares?: boolean | undefined
}

const STYLE = { background: 'transparent', fontSize: '12px' }

/** One chart for each number, because each has its own scale; points need two numbers. */
export function draw(drawing: Drawing): SVGSVGElement[] {
  const { kind, shape } = drawing
  const [first, second] = shape.numbers
  if (first === undefined) return []
  const plots =
    kind === 'scatter' && second !== undefined
      ? [scatter(drawing, first, second)]
      : shape.numbers.map((number, at) => one(drawing, number, at))
  return plots.flatMap((plot) => {
    finish(plot)
    return plot instanceof SVGSVGElement ? [plot] : [...plot.querySelectorAll('svg')].slice(0, 1)
  })
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

function one(drawing: Drawing, number: Column, at: number) {
  const { kind } = drawing
  if (kind === 'multiples') return multiples(drawing, number, at)
  if (kind === 'line') return lines(drawing, number, at)
  return drawing.shape.time !== undefined ? upright(drawing, number, at) : level(drawing, number, at)
}

const numberOf = (at: number) => (point: Point) => point.values[at] ?? null
const tipOf = (number: Column, at: number) => (point: Point) =>
  [point.place, point.series === point.place ? '' : point.series, `${headingOf(number)}: ${point.texts[at]}`]
    .filter(Boolean)
    .join('\n')
const colourOf = ({ series }: ChartData) => ({
  type: 'categorical' as const,
  domain: series.map(({ name }) => name),
  range: series.map(({ colour }) => colour),
})
const fillOf = ({ series, others }: ChartData) => {
  if (series.length > 0) return (point: Point) => point.series
  if (others === undefined) return COLOURS[0]!
  return { value: (point: Point) => (point.place === others ? OTHERS : COLOURS[0]!), scale: null }
}
const valueAxis = (number: Column, at: number, { data: { points }, shares }: Drawing) => ({
  label: shares === true ? `${number.name}, share` : headingOf(number),
  grid: true,
  ticks: 7,
  tickFormat: shares === true ? axisFormat({ format: '0%' }, [1]) : axisFormat(number, points.map(numberOf(at))),
})
const lineAcross = (line: number | undefined, across: 'x' | 'y') => {
  if (line === undefined) return []
  const look = { stroke: 'currentColor', strokeDasharray: '5 4', strokeOpacity: 0.75 }
  return across === 'y' ? [Plot.ruleY([line], look)] : [Plot.ruleX([line], look)]
}
/** A measure and its value of another period have one scale, so that their charts can be compared: marks that nobody sees. */
function sharedScale({ shape, data, kind, shares }: Drawing, { name }: Column, across: 'x' | 'y') {
  const extremes =
    shares === true ? [] : sharedExtremes({ names: shape.numbers.map((each) => each.name), name, points: data.points, kind })
  const look = { strokeOpacity: 0 }
  if (extremes.length === 0) return []
  return across === 'y' ? [Plot.ruleY(extremes, look)] : [Plot.ruleX(extremes, look)]
}

const labelOf = (number: Column, { shape: { time, categories } }: Drawing): string =>
  `${number.name} by ${[time, ...categories].flatMap((column) => column?.name ?? []).join(' and ')}`

function lines(drawing: Drawing, number: Column, at: number) {
  const { data, width, line } = drawing
  const points = data.points.filter((point) => numberOf(at)(point) !== null)
  const z = data.series.length === 0 ? null : (point: Point) => point.series
  const places = new Set(points.map(({ x }) => Number(x))).size
  return Plot.plot({
    width,
    height: heightOfEach(drawing),
    marginRight: 26,
    marginLeft: 54,
    style: STYLE,
    ariaLabel: labelOf(number, drawing),
    color: colourOf(data),
    x: { label: null },
    y: valueAxis(number, at, drawing),
    marks: [
      Plot.ruleY([0]),
      ...lineAcross(line, 'y'),
      ...sharedScale(drawing, number, 'y'),
      Plot.lineY(brokenLines(points), { x: 'x', y: numberOf(at), z, stroke: fillOf(data), strokeWidth: 2 }),
      Plot.dot(points, { x: 'x', y: numberOf(at), fill: fillOf(data), r: places > MARKED_AT_MOST ? 0 : 2.5 }),
      ...(data.series.length === 0
        ? [Plot.tip(points, Plot.pointer({ x: 'x', y: numberOf(at), title: tipOf(number, at) }))]
        : placeTips(points, at, headingOf(number))),
    ],
  })
}

/** With more places, the marks of a line would cover it. */
const MARKED_AT_MOST = 80

/** Bars over a time. */
function upright(drawing: Drawing, number: Column, at: number) {
  const { kind, data, width, line, shares } = drawing
  const { points, series } = data
  const ticks = everyFew(points, width)
  const names = new Map(points.map(({ x, place }) => [Number(x), place]))
  const placeOf = (date: Date | string): string => names.get(Number(date)) ?? ''
  const common = {
    width,
    height: heightOfEach(drawing),
    marginRight: 26,
    marginLeft: 54,
    style: STYLE,
    ariaLabel: labelOf(number, drawing),
    color: colourOf(data),
    y: valueAxis(number, at, drawing),
  }
  const offset = shares === true ? { offset: 'normalize' as const } : {}
  const look = { y: numberOf(at), fill: fillOf(data), title: tipOf(number, at), tip: true }
  if (kind === 'grouped' && series.length > 0)
    return Plot.plot({
      ...common,
      fx: { label: null, tickFormat: placeOf, padding: 0.15, ...ticks },
      x: { axis: null, domain: drawnNames(data), padding: 0 },
      marks: [
        Plot.barY(points, { ...look, fx: (point: Point) => point.x, x: (point: Point) => point.series }),
        Plot.ruleY([0]),
        ...sharedScale(drawing, number, 'y'),
      ],
    })
  return Plot.plot({
    ...common,
    x: { type: 'band', label: null, tickFormat: placeOf, ...ticks },
    marks: [
      Plot.barY(points, Plot.stackY({ ...offset, ...orderOfStack(data) }, { ...look, x: 'x' })),
      Plot.ruleY([0]),
      ...lineAcross(line, 'y'),
      ...sharedScale(drawing, number, 'y'),
    ],
  })
}

/** The largest series is at the bottom, as in the legend. */
const orderOfStack = ({ series }: ChartData) => (series.length === 0 ? {} : { order: series.map(({ name }) => name) })
const drawnNames = ({ series }: ChartData): string[] => series.filter(({ isDrawn }) => isDrawn).map(({ name }) => name)

const BAR = 24
const THICK_BAR = 40
const THIN_BAR = 13
/** A higher chart has its axis at both ends. */
const TALL = 400

/** Bars of categories, one below the other, so that their names can be read. */
function level(drawing: Drawing, number: Column, at: number) {
  const { kind, data, width, line, shares } = drawing
  const { points, places, series } = data
  const isGrouped = kind === 'grouped' && series.length > 0
  const names = drawnNames(data)
  const marginLeft = Math.min(width * 0.4, Math.max(60, ...places.map((name) => shortened(name).length * LETTER + 14)))
  const shortenedHere = (name: string) => shortened(name, Math.floor((marginLeft - 14) / LETTER))
  const labels = isGrouped || series.length > 0 ? undefined : barLabels(points, at)
  const marginRight = labels?.room ?? 26
  const bar = Math.max(BAR, Math.min(THICK_BAR, (heightOfEach(drawing) - 70) / places.length))
  const high = isGrouped ? places.length * (names.length * THIN_BAR + 10) : places.length * bar
  const common = {
    width,
    height: Math.max(130, high + 70),
    marginLeft,
    marginBottom: 46,
    marginRight,
    style: STYLE,
    ariaLabel: labelOf(number, drawing),
    color: colourOf(data),
    x: {
      ...valueAxis(number, at, drawing),
      ticks: ticksFor(width - marginLeft - marginRight),
      labelOffset: 40,
      ...(high > TALL && { axis: 'both' as const }),
    },
    ...(high > TALL && { marginTop: 46 }),
  }
  const offset = shares === true ? { offset: 'normalize' as const } : {}
  const look = { x: numberOf(at), fill: fillOf(data), title: tipOf(number, at), tip: true }
  if (isGrouped)
    return Plot.plot({
      ...common,
      fy: { label: null, domain: [...places], tickFormat: shortenedHere, axis: 'left' },
      y: { axis: null, domain: names, padding: 0 },
      marks: [
        Plot.barX(points, { ...look, fy: (point: Point) => point.place, y: (point: Point) => point.series }),
        Plot.ruleX([0]),
        ...lineAcross(line, 'x'),
        ...sharedScale(drawing, number, 'x'),
      ],
    })
  return Plot.plot({
    ...common,
    y: { label: null, domain: [...places], tickFormat: shortenedHere },
    marks: [
      Plot.barX(points, Plot.stackX({ ...offset, ...orderOfStack(data) }, { ...look, y: (point: Point) => point.place })),
      ...(labels?.marks ?? []),
      Plot.ruleX([0]),
      ...lineAcross(line, 'x'),
      ...sharedScale(drawing, number, 'x'),
    ],
  })
}

/** A chart fills the available space; several share it while each is readable. */
function heightOfEach({ height, shape, kind }: Drawing): number {
  const count = kind === 'scatter' ? 1 : shape.numbers.length
  return Math.max(170, Math.min(560, Math.floor(height / count) - 8))
}

/** A readable small chart needs space. */
const ROOM = 230

/** One small chart for each series, all with the same scales. */
function multiples(drawing: Drawing, number: Column, at: number) {
  const { data, width, height, shape } = drawing
  const isTime = shape.time !== undefined
  const names = drawnNames(data)
  const place = new Map(names.map((name, n) => [name, n]))
  const across = Math.max(1, Math.min(names.length, Math.floor(width / ROOM)))
  const down = Math.ceil(names.length / across)
  const facets = {
    fx: ({ series }: Point) => place.get(series)! % across,
    fy: ({ series }: Point) => Math.floor(place.get(series)! / across),
  }
  const each = isTime
    ? Math.max(110, Math.min(240, Math.floor((height - 60) / down) - 34))
    : Math.max(90, data.places.length * 17 + 24)
  const axis = valueAxis(number, at, drawing)
  const titles = Plot.text(names, {
    fx: (name: string) => place.get(name)! % across,
    fy: (name: string) => Math.floor(place.get(name)! / across),
    frameAnchor: 'top-left',
    dx: 4,
    dy: 3,
    text: (name: string) => shortened(name),
    fontWeight: 600,
  })
  const points = data.points.filter((point) => numberOf(at)(point) !== null)
  const common = {
    width,
    height: down * each + 70,
    marginTop: 24,
    style: STYLE,
    ariaLabel: labelOf(number, drawing),
    fx: { label: null, axis: null },
    fy: { label: null, axis: null },
  }
  if (isTime)
    return Plot.plot({
      ...common,
      x: { label: null, ticks: 4 },
      y: { ...axis, ticks: 4, insetTop: 20 },
      marks: [
        Plot.ruleY([0]),
        Plot.lineY(brokenLines(points), { ...facets, x: 'x', y: numberOf(at), stroke: COLOURS[0]!, strokeWidth: 1.6 }),
        Plot.tip(points, Plot.pointer({ ...facets, x: 'x', y: numberOf(at), title: tipOf(number, at) })),
        titles,
      ],
    })
  return Plot.plot({
    ...common,
    marginLeft: 110,
    x: { ...axis, ticks: 4 },
    y: { label: null, domain: [...data.places], tickFormat: (name: string) => shortened(name), insetTop: 20 },
    marks: [
      Plot.barX(points, {
        ...facets,
        x: numberOf(at),
        y: (point: Point) => point.place,
        fill: COLOURS[0]!,
        title: tipOf(number, at),
        tip: true,
      }),
      Plot.ruleX([0]),
      titles,
    ],
  })
}

function scatter(drawing: Drawing, first: Column, second: Column) {
  const { data, width } = drawing
  const points = data.points.filter(({ values: [x, y] }) => x !== null && y !== null)
  const title = (point: Point) =>
    [
      point.place,
      point.series === point.place ? '' : point.series,
      `${headingOf(first)}: ${point.texts[0]}`,
      `${headingOf(second)}: ${point.texts[1]}`,
    ]
      .filter(Boolean)
      .join('\n')
  return Plot.plot({
    width,
    height: heightOfEach(drawing),
    marginBottom: 46,
    marginRight: 26,
    marginLeft: 54,
    ariaLabel: `${second.name} by ${first.name}`,
    style: STYLE,
    grid: true,
    x: { ...valueAxis(first, 0, drawing), ticks: ticksFor(width - 80), labelOffset: 40 },
    y: valueAxis(second, 1, drawing),
    marks: [
      Plot.dot(points, {
        x: numberOf(0),
        y: numberOf(1),
        stroke: COLOURS[0]!,
        fill: COLOURS[0]!,
        fillOpacity: 0.25,
        title,
        tip: true,
      }),
    ],
  })
}

/** The width of a letter of an axis in pixels. */
const LETTER = 7
/** The labels of an axis of values are not to touch each other. */
const ticksFor = (room: number): number => Math.max(2, Math.min(7, Math.floor(room / 50)))
/** A text shortened for an axis. */
const shortened = (name: string, most = 30): string => {
  const letters = [...name]
  return letters.length > Math.min(most, 30) ? `${letters.slice(0, Math.min(most, 30) - 1).join('')}…` : name
}

/** The width of the label of a bucket in pixels. */
const BUCKET = 76

/** Every n-th time, so that the labels fit. */
function everyFew(points: readonly Point[], width: number): { readonly ticks?: Date[] } {
  const times = [...new Set(points.map(({ x }) => Number(x)))].toSorted((a, b) => a - b)
  const step = Math.ceil((times.length * BUCKET) / width)
  return step <= 1 ? {} : { ticks: times.filter((_, n) => n % step === 0).map((time) => new Date(time)) }
}
