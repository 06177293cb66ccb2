/** A drawing of the page as a file. */
interface Size {
  readonly width: number
  readonly height: number
}

export interface SvgText extends Size {
  readonly text: string
}

/** Maximum number of pixels on a side of a canvas. */
const PIXELS_AT_MOST = 12_000

/** The text of a drawing, with the current colours of the page. */
export function svgText(svg: SVGElement, size: Size): SvgText {
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const look = getComputedStyle(document.documentElement)
  const text = new XMLSerializer().serializeToString(svg)
  return { ...size, text: text.replace(/var\((--[\w-]+)\)/g, (_all, name: string) => look.getPropertyValue(name).trim()) }
}

interface SaveOptions {
  readonly name: string
  readonly format: 'svg' | 'png'
}

export async function saveDrawing(drawing: SvgText | undefined, { name, format }: SaveOptions): Promise<void> {
  if (drawing === undefined) return
  const blob = format === 'svg' ? new Blob([drawing.text], { type: 'image/svg+xml' }) : await pngOf(drawing)
  if (blob !== null) saveAs(blob, `${name}.${format}`)
}

async function pngOf({ text, width, height }: SvgText): Promise<Blob | null> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const scale = Math.min(2, PIXELS_AT_MOST / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  const pen = canvas.getContext('2d')!
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--panel')
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((done) => canvas.toBlob(done))
}

/** Downloads a file in the browser. */
export function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
