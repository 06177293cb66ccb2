import { type PointerEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Bounds } from './drawn.js'
import type { Point } from './layers.js'

interface View extends Point {
  readonly scale: number
}

interface Size {
  readonly width: number
  readonly height: number
}

export interface Moving {
  readonly view: View
  /** Zooms by a factor, around the middle. */
  readonly zoom: (factor: number) => void
  readonly fit: () => void
  readonly reveal: (place: Bounds) => void
  readonly pull: {
    readonly onPointerDown: (event: PointerEvent) => void
    readonly onPointerMove: (event: PointerEvent) => void
    readonly onPointerUp: (event: PointerEvent) => void
    readonly onPointerCancel: (event: PointerEvent) => void
  }
}

const SCALE = { least: 0.05, most: 3, first: 0.5, whole: 1.15 } as const
/** A shorter movement is a click. */
const PULL_FROM = 4

/** The visible part of a drawing and its scale, controlled by wheel, pointer, two fingers and buttons. */
export function useView(
  svg: RefObject<SVGSVGElement | null>,
  { bounds: { x: left, y: top, width: wide, height: high }, size, start }: Seen,
): Moving {
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 })
  const { width, height } = size
  // Compared by value: a query with another path does not move the view.
  const bounds = useMemo(() => ({ x: left, y: top, width: wide, height: high }), [left, top, wide, high])
  const fit = useCallback(() => setView(fitting(bounds, { width, height }, SCALE.least)), [bounds, width, height])
  const from = useRef(start)
  from.current = start
  useEffect(() => {
    // On a phone the whole graph would be too small to read, so the view starts at the relevant object.
    if (width > 0) setView(first(bounds, { width, height }, from.current))
  }, [bounds, width, height])

  const zoomAt = useCallback((factor: number, at: Point) => setView((now) => zoomed(now, factor, at)), [])
  useEffect(() => {
    const element = svg.current
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const box = element!.getBoundingClientRect()
      zoomAt(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), {
        x: event.clientX - box.left,
        y: event.clientY - box.top,
      })
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [svg, zoomAt])

  const zoom = useCallback((factor: number) => zoomAt(factor, { x: width / 2, y: height / 2 }), [zoomAt, width, height])
  const reveal = useCallback((place: Bounds) => setView((now) => revealed(now, place, { width, height })), [width, height])
  return { view, zoom, fit, reveal, pull: usePull(svg, setView) }
}

interface Seen {
  readonly bounds: Bounds
  readonly size: Size
  /** The part that is visible first, if not everything fits. */
  readonly start: Bounds | undefined
}

function usePull(svg: RefObject<SVGSVGElement | null>, setView: (change: (now: View) => View) => void): Moving['pull'] {
  const fingers = useRef(new Map<number, Point>())
  const travelled = useRef(0)
  return useMemo(() => {
    const onPointerUp = ({ pointerId }: PointerEvent) => {
      fingers.current.delete(pointerId)
      svg.current?.classList.remove('pulled')
    }
    return {
      onPointerDown: ({ pointerId, clientX, clientY, button }) => {
        if (button !== 0) return
        fingers.current.set(pointerId, { x: clientX, y: clientY })
        travelled.current = 0
      },
      onPointerMove: ({ pointerId, clientX, clientY }) => {
        const before = fingers.current.get(pointerId)
        if (before === undefined) return
        const now = { x: clientX, y: clientY }
        travelled.current += Math.hypot(now.x - before.x, now.y - before.y)
        if (travelled.current < PULL_FROM) return
        // Only now, because a click belongs to the element below the pointer.
        svg.current?.setPointerCapture(pointerId)
        svg.current?.classList.add('pulled')
        const other = [...fingers.current].find(([id]) => id !== pointerId)?.[1]
        fingers.current.set(pointerId, now)
        const box = svg.current!.getBoundingClientRect()
        setView((view) => {
          const moved = {
            ...view,
            x: view.x + (now.x - before.x) / (other ? 2 : 1),
            y: view.y + (now.y - before.y) / (other ? 2 : 1),
          }
          if (other === undefined) return moved
          const spread = (point: Point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y))
          const middle = { x: (now.x + other.x) / 2 - box.left, y: (now.y + other.y) / 2 - box.top }
          return zoomed(moved, spread(now) / spread(before), middle)
        })
      },
      onPointerUp,
      onPointerCancel: onPointerUp,
    }
  }, [svg, setView])
}

const between = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value))

/** The content at this point stays there. */
function zoomed({ x, y, scale }: View, factor: number, at: Point): View {
  const next = between(SCALE.least, scale * factor, SCALE.most)
  return { scale: next, x: at.x - ((at.x - x) * next) / scale, y: at.y - ((at.y - y) * next) / scale }
}

function fitting(bounds: Bounds, { width, height }: Size, least: number): View {
  const scale = between(least, Math.min(width / bounds.width, height / bounds.height), SCALE.whole)
  return centred({ scale, x: 0, y: 0 }, bounds, { width, height })
}

function first(bounds: Bounds, size: Size, start: Bounds | undefined): View {
  const whole = fitting(bounds, size, SCALE.first)
  const isWhole = bounds.width * whole.scale <= size.width + 1 && bounds.height * whole.scale <= size.height + 1
  return isWhole || start === undefined ? whole : centred(whole, start, size)
}

function centred({ scale }: View, { x, y, width, height }: Bounds, size: Size): View {
  return { scale, x: size.width / 2 - (x + width / 2) * scale, y: size.height / 2 - (y + height / 2) * scale }
}

/** Moves a rectangle to the middle, unless it is completely visible and readable. */
function revealed(view: View, place: Bounds, size: Size): View {
  const { x, y, scale } = view
  const [left, top] = [place.x * scale + x, place.y * scale + y]
  const isSeen =
    scale >= SCALE.first * 0.7 &&
    left >= 0 &&
    top >= 0 &&
    left + place.width * scale <= size.width &&
    top + place.height * scale <= size.height
  return isSeen ? view : centred({ ...view, scale: Math.max(scale, SCALE.first) }, place, size)
}
