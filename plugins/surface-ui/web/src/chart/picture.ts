/** A chart as one picture with everything that a reader of it needs: title, notes, legend, filters and the time of reading. */
import { type SvgText, svgText } from '../results/save-drawing.js'
import type { Series } from './chart-data.js'

export interface Caption {
  readonly title: string
  /** Filters, and what the chart leaves out. */
  readonly notes: readonly string[]
  /** The model, and when its data was read. */
  readonly source: string
}

interface Picture extends Caption {
  readonly plots: readonly SVGSVGElement[]
  readonly series: readonly Series[]
}

const SVG = 'http://www.w3.org/2000/svg'
const [MARGIN, LINE, LEGEND, CHARACTER] = [20, 17, 235, 6.4]
const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif'

/** `undefined` if nothing is drawn. */
export function pictureOf({ plots, series, title, notes, source }: Picture): SvgText | undefined {
  const [first] = plots
  if (first === undefined) return undefined
  const shown = series.filter(({ isDrawn }) => isDrawn)
  const wide = Math.max(...plots.map(({ clientWidth }) => clientWidth))
  const width = wide + 2 * MARGIN + (shown.length > 0 ? LEGEND : 0)
  const picture = element('svg', {
    'font-family': SANS,
    'font-size': '12',
    color: getComputedStyle(first).color,
    fill: 'currentColor',
  })
  let y = MARGIN + 14
  for (const line of wrapped(title, (width - 2 * MARGIN) / 8.6)) {
    picture.append(text(line, { x: MARGIN, y, 'font-size': 16, 'font-weight': 600 }))
    y += 21
  }
  for (const line of notes.flatMap((note) => wrapped(note, (width - 2 * MARGIN) / CHARACTER))) {
    picture.append(text(line, { x: MARGIN, y }))
    y += LINE
  }
  const top = y
  shown.forEach(({ name, colour }, n) => {
    const at = top + 12 + n * LINE
    picture.append(element('rect', { x: MARGIN + wide + 14, y: at - 9, width: 11, height: 11, rx: 2, fill: colour }))
    picture.append(text(shortened(name), { x: MARGIN + wide + 31, y: at }))
  })
  for (const plot of plots) {
    const copy = plot.cloneNode(true) as SVGSVGElement
    for (const tip of copy.querySelectorAll('[aria-label=tip]')) tip.remove()
    for (const [name, value] of Object.entries({ x: MARGIN, y, width: plot.clientWidth, height: plot.clientHeight }))
      copy.setAttribute(name, String(value))
    picture.append(copy)
    y += plot.clientHeight
  }
  y = Math.max(y, top + shown.length * LINE) + LINE
  picture.append(text(source, { x: MARGIN, y, 'font-size': 11, opacity: 0.75 }))
  const height = y + MARGIN - 6
  const back = getComputedStyle(document.documentElement).getPropertyValue('--panel').trim()
  picture.prepend(element('rect', { width, height, fill: back }))
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
    picture.setAttribute(name, String(value))
  return svgText(picture, { width, height })
}

const shortened = (name: string): string => (name.length > 28 ? `${name.slice(0, 27)}…` : name)

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}

function text(content: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = element('text', attributes)
  made.textContent = content
  return made
}

/** Lines of at most so many characters, broken at spaces. */
function wrapped(content: string, most: number): readonly string[] {
  const lines: string[] = []
  for (const word of content.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length + 1 > most) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
