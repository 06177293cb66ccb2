/** The drawn rows and their positions; all rows have the same height. Libraries for this end at the maximum height of a box, which a million rows exceed. */
export interface RowWindow {
  /** The drawn rows: from (inclusive) and to (exclusive). */
  readonly first: number
  readonly last: number
  /** The offset from the position of a row among all rows to its position in the scrolled box. */
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

/** Browsers do not draw much higher boxes. Beyond it, one pixel of the scroll bar is more than one pixel of the rows. */
const HIGHEST = 8_000_000
/** Rows above and below the visible ones. */
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

/** The nearest position of the scroll bar that shows a row; `undefined` if it is visible. */
export function scrolledTo(row: number, view: Scrolled): number | undefined {
  const { rowHeight, scrolled, inside } = view
  const scale = scaleOf(view)
  const [top, bottom] = [row * rowHeight, (row + 1) * rowHeight]
  if (top < scrolled * scale) return top / scale
  return bottom > scrolled * scale + inside ? (bottom - inside) / scale : undefined
}

/** Pixels of rows per pixel of the scroll bar. */
function scaleOf({ count, rowHeight, inside }: Scrolled): number {
  const [full, height] = [count * rowHeight, heightOf(count, rowHeight)]
  return height < full && height > inside ? (full - inside) / (height - inside) : 1
}
