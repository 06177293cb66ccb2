import { type RefObject, type UIEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { heightOf, rowWindow, scrolledTo } from './row-window.js'

export interface DrawnRows {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly onScroll: (event: UIEvent<HTMLDivElement>) => void
  /** Pixels that all rows take in the scrolled box. */
  readonly height: number
  /** The drawn rows: from (inclusive) and to (exclusive). */
  readonly first: number
  readonly last: number
  topOf(row: number): number
  /** Scrolls as little as possible to show the row. */
  reveal(row: number): void
}

/** The rows of a list to draw, which are the visible ones. */
export function useRowWindow(count: number, rowHeight: number): DrawnRows {
  const ref = useRef<HTMLDivElement>(null)
  const [{ scrolled, inside }, setView] = useState({ scrolled: 0, inside: 600 })
  const { first, last, shift } = rowWindow({ count, rowHeight, scrolled, inside })

  useLayoutEffect(() => {
    const box = ref.current
    if (box === null) return
    const look = () => setView({ scrolled: box.scrollTop, inside: Math.max(1, box.clientHeight) })
    const observer = new ResizeObserver(look)
    observer.observe(box)
    look()
    return () => observer.disconnect()
  }, [])

  const onScroll = useCallback((event: UIEvent<HTMLDivElement>) => {
    const { scrollTop, clientHeight } = event.currentTarget
    setView({ scrolled: scrollTop, inside: Math.max(1, clientHeight) })
  }, [])
  const reveal = useCallback(
    (row: number) => {
      const box = ref.current
      const to = box === null ? undefined : scrolledTo(row, { count, rowHeight, scrolled: box.scrollTop, inside })
      if (box !== null && to !== undefined) box.scrollTop = to
    },
    [count, rowHeight, inside],
  )
  return { ref, onScroll, height: heightOf(count, rowHeight), first, last, topOf: (row) => row * rowHeight + shift, reveal }
}
