/**
 * Pictures of several pages side by side, as docs/page-beside-explorers.md shows them:
 *   node --conditions=@grainline/source --import tsx scripts/beside-pictures.ts FOLDER
 * FOLDER holds the screenshots `superset-top-desktop-light.png` and so on; those of this page, `before-…` and `after-…`, are from scripts/page-pictures.ts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { openBrowser } from '../test/interop/ui/browser.js'

const out = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'docs/pictures')
const NAMES = {
  superset: 'Superset 6.1.0',
  perspective: 'Perspective 3.8.0',
  gw: 'Graphic Walker 0.5.2',
  before: 'Grainline, before',
  after: 'Grainline, after',
} as const
const DESKTOP = { size: 'desktop', wide: 700, high: 437, across: 2 } as const
const PHONE = { size: 'phone', wide: 234, high: 506, across: 5 } as const

/** What a browser has, and this program has not. */
interface Context {
  fillStyle: string
  font: string
  imageSmoothingQuality: string
  fillRect(x: number, y: number, width: number, height: number): void
  fillText(text: string, x: number, y: number): void
  drawImage(image: object, x: number, y: number, width: number, height: number): void
  getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray }
}
declare const OffscreenCanvas: new (width: number, height: number) => { getContext(kind: '2d'): Context | null }
declare function createImageBitmap(blob: Blob): Promise<object>

interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green and blue of each colour. */
  readonly palette: readonly number[]
  /** The colour of each pixel, as Base64. */
  readonly pixels: string
}

const folder = path.resolve(process.argv[2] ?? 'pictures')
const browser = await openBrowser()
if (typeof browser === 'string') throw new Error(browser)
try {
  const page = await browser.newPage()
  for (const question of ['pivot', 'line', 'top'])
    for (const scheme of ['light', 'dark'])
      for (const { size, wide, high, across } of [DESKTOP, PHONE]) {
        const shown = Object.entries(NAMES).filter(([key]) => size === 'phone' || key !== 'before')
        const panels = shown.map(([key, title]) => ({
          title,
          file: path.join(folder, `${key}-${question}-${size}-${scheme}.png`),
        }))
        if (!panels.every(({ file }) => existsSync(file))) continue
        const sources = panels.map(({ title, file }) => ({ title, data: readFileSync(file).toString('base64') }))
        const asked = JSON.stringify({ sources, wide, high, across })
        // The compiler of this script wraps named functions in `__name`, which the browser does not have.
        const picture = await page.evaluate<Picture>(`(() => { const __name = (each) => each; return (${drawn})(${asked}) })()`)
        writeFileSync(path.join(out, `beside-${question}-${size}-${scheme}.png`), pngOf(picture))
      }
} finally {
  await browser.close()
}

/** Runs in the browser: the panels with their titles, in at most 256 colours. */
async function drawn(asked: {
  readonly sources: readonly { readonly title: string; readonly data: string }[]
  readonly wide: number
  readonly high: number
  readonly across: number
}): Promise<Picture> {
  const { sources, wide, high, across } = asked
  const TITLE = 24
  const GAP = 8
  const width = across * (wide + GAP) + GAP
  const height = Math.ceil(sources.length / across) * (high + TITLE + GAP) + GAP
  const context = new OffscreenCanvas(width, height).getContext('2d')!
  context.fillStyle = '#e9ecef'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  for (const [n, { title, data }] of sources.entries()) {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
    const [x, y] = [GAP + (n % across) * (wide + GAP), GAP + Math.floor(n / across) * (high + TITLE + GAP)]
    context.fillStyle = '#212529'
    context.font = '600 14px sans-serif'
    context.fillText(title, x + 2, y + 16)
    context.drawImage(await createImageBitmap(new Blob([bytes])), x, y + TITLE, wide, high)
  }
  const { data } = context.getImageData(0, 0, width, height)
  const rough = (at: number): number => ((data[at]! & 0xf0) << 4) | (data[at + 1]! & 0xf0) | (data[at + 2]! >> 4)
  const counts = new Map<number, { n: number; red: number; green: number; blue: number }>()
  for (let at = 0; at < data.length; at += 4) {
    const known = counts.get(rough(at)) ?? { n: 0, red: 0, green: 0, blue: 0 }
    counts.set(rough(at), known)
    known.n++
    known.red += data[at]!
    known.green += data[at + 1]!
    known.blue += data[at + 2]!
  }
  // The thin lines of a chart have few pixels, and their colours say which is which.
  const weight = ({ n, red, green, blue }: { n: number; red: number; green: number; blue: number }): number =>
    n * (1 + (Math.max(red, green, blue) - Math.min(red, green, blue)) / n / 8)
  const most = [...counts.values()].sort((a, b) => weight(b) - weight(a)).slice(0, 200)
  const colours = most.map(({ n, red, green, blue }) => [red / n, green / n, blue / n] as const)
  const nearest = new Map<number, number>()
  const nearestTo = (at: number): number => {
    let best = 0
    let least = Number.POSITIVE_INFINITY
    for (const [n, [red, green, blue]] of colours.entries()) {
      const distance = (red - data[at]!) ** 2 + (green - data[at + 1]!) ** 2 + (blue - data[at + 2]!) ** 2
      if (distance < least) [best, least] = [n, distance]
    }
    return best
  }
  let pixels = ''
  for (let at = 0; at < data.length; at += 4) {
    const key = rough(at)
    const found = nearest.get(key) ?? nearestTo(at)
    nearest.set(key, found)
    pixels += String.fromCharCode(found)
  }
  return { width, height, palette: colours.flat().map(Math.round), pixels: btoa(pixels) }
}

function pngOf({ width, height, palette, pixels }: Picture): Buffer {
  const bytes = Buffer.from(pixels, 'base64')
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), bytes.subarray(y * width, (y + 1) * width)]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each pixel, which name a colour of the palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.of(137, 80, 78, 71, 13, 10, 26, 10),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc(body))
  return Buffer.concat([length, body, check])
}

/** The checksum of a part of a PNG. */
function crc(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
