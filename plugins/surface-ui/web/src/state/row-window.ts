/** Which rows of the same height are drawn, and where; libraries for this stop where a box cannot be higher, which a million rows are. */
export interface RowWindow {
  /** The rows that are drawn: from, and to without it. */
  readonly first: number
  readonly last: number
  /** Added to the place that a row has among all rows, it is the place in the scrolled box. */
  readonly shift: number
}

interface Scrolled {
  readonly count: number
  readonly rowHeight: number
  /** Pixels from the top, as the scroll bar has them. */
  readonly scrolled: number
  /** Pixels that show rows. */
  readonly inside: number
}

/** Browsers draw no box that is much higher. Above it, one pixel of the scroll bar is more than one of the rows. */
const HIGHEST = 8_000_000
/** Rows above and below those in sight. */
export const BEYOND = 6

/** Pixels that all rows take in the scrolled box. */
export const heightOf = (count: number, rowHeight: number): number => Math.min(count * rowHeight, HIGHEST)

export function rowWindow(view: Scrolled): RowWindow {
  const { count, rowHeight, scrolled, inside } = view
  const offset = Math.round(Math.min(scrolled * scaleOf(view), Math.max(0, count * rowHeight - inside)))
  return {
    first: Math.max(0, Math.floor(offset / rowHeight) - BEYOND),
    last: Math.min(count, Math.ceil((offset + inside) / rowHeight) + BEYOND),
    shift: scaleOf(view) === 1 ? 0 : Math.round(scrolled) - offset,
  }
}

/** Where the scroll bar has to be for a row to be seen, moved as little as is needed; `undefined` where it is seen. */
export function scrolledTo(row: number, view: Scrolled): number | undefined {
  const { rowHeight, scrolled, inside } = view
  const scale = scaleOf(view)
  const [top, bottom] = [row * rowHeight, (row + 1) * rowHeight]
  if (top < scrolled * scale) return top / scale
  return bottom > scrolled * scale + inside ? (bottom - inside) / scale : undefined
}

/** Pixels of the rows for each pixel of the scroll bar. */
function scaleOf({ count, rowHeight, inside }: Scrolled): number {
  const [full, height] = [count * rowHeight, heightOf(count, rowHeight)]
  return height < full && height > inside ? (full - inside) / (height - inside) : 1
}
