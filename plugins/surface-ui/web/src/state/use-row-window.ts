import { type RefObject, type UIEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

export interface RowWindow {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly onScroll: (event: UIEvent<HTMLDivElement>) => void
  /** Pixels that all rows take in the scrolled box. */
  readonly height: number
  /** The rows that are drawn: from, and to without it. */
  readonly first: number
  readonly last: number
  topOf(row: number): number
  /** Scrolls as little as is needed for the row to be seen. */
  reveal(row: number): void
}

/** Browsers draw no box that is much higher. Above it, one pixel of the scroll bar is more than one of the rows. */
const HIGHEST = 8_000_000
const BEYOND = 6

/** Which rows of the same height are to be drawn; libraries for this stop where a box cannot be higher, which a million rows are. */
export function useRowWindow(count: number, rowHeight: number, header = 0): RowWindow {
  const ref = useRef<HTMLDivElement>(null)
  const [{ scrolled, room }, setView] = useState({ scrolled: 0, room: 600 })
  const full = count * rowHeight
  const height = Math.min(full, HIGHEST)
  const inside = Math.max(1, room - header)
  const scale = height > inside ? Math.max(1, (full - inside) / (height - inside)) : 1
  const offset = Math.min(scrolled * scale, Math.max(0, full - inside))

  useLayoutEffect(() => {
    const box = ref.current
    if (box === null) return
    const look = () => setView({ scrolled: box.scrollTop, room: box.clientHeight })
    const observer = new ResizeObserver(look)
    observer.observe(box)
    look()
    return () => observer.disconnect()
  }, [])

  const onScroll = useCallback((event: UIEvent<HTMLDivElement>) => {
    const { scrollTop, clientHeight } = event.currentTarget
    setView({ scrolled: scrollTop, room: clientHeight })
  }, [])
  const reveal = useCallback(
    (row: number) => {
      const box = ref.current
      if (box === null) return
      const at = box.scrollTop * scale
      const [top, bottom] = [row * rowHeight, (row + 1) * rowHeight]
      if (top < at) box.scrollTop = top / scale
      else if (bottom > at + inside) box.scrollTop = (bottom - inside) / scale
    },
    [scale, inside, rowHeight],
  )
  return {
    ref,
    onScroll,
    height,
    first: Math.max(0, Math.floor(offset / rowHeight) - BEYOND),
    last: Math.min(count, Math.ceil((offset + inside) / rowHeight) + BEYOND),
    topOf: (row) => row * rowHeight - offset + scrolled,
    reveal,
  }
}
