/**
 * The visible rows as reused elements: scrolling creates no element and causes no layout. It changes the text of the rows that
 * become visible, and the position of a row by a transform.
 */
import { BEYOND, type RowWindow, rowWindow, scrolledTo } from '../state/row-window.js'
import { NO_TEXT } from './format-value.js'

export interface PoolOptions {
  /** What scrolls. */
  readonly box: HTMLElement
  /** Where the rows are. */
  readonly layer: HTMLElement
  /** The start of the id of each cell. */
  readonly id: string
  readonly rowCount: number
  readonly rowHeight: number
  readonly headHeight: number
  readonly columns: readonly DrawnColumn[]
  /** `null` for NULL. */
  text(row: number, column: number): string | null
}

export interface DrawnColumn {
  readonly width: number
  readonly isRight: boolean
  /** How strongly the number of a row is coloured. */
  readonly shade?: ((row: number) => number | undefined) | undefined
}

export interface Place {
  readonly row: number
  readonly column: number
}

export interface RowPool {
  /** The number of visible rows. */
  readonly inSight: number
  /** The cell at an element. */
  placeOf(target: EventTarget | null): Place | undefined
  /** The position of a cell in the layer. */
  boxOf(place: Place): { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
  /** Marks the cell that has the keyboard focus. */
  mark(place: Place | undefined): void
  reveal(place: Place): void
  destroy(): void
}

/** An element for any row. */
interface Slot {
  readonly element: HTMLElement
  readonly cells: Cell[]
  row: number
  top: number
}

interface Cell {
  readonly element: HTMLElement
  readonly text: Text
  /** NULL, or a text without characters. */
  isNothing: boolean
  shade: number | undefined
  column: number
}

const NO_ROW = -1
/** Pixels of columns next to the visible ones. */
const ASIDE = 300
/** The pause in scrolling, in milliseconds, before elements are put into reading order for screen readers. */
const REST = 250

export function rowPool(options: PoolOptions): RowPool {
  const { box, layer, rowCount, rowHeight, headHeight, columns, text } = options
  const lefts = leftsOf(columns)
  const slots: Slot[] = []
  let size = { width: box.clientWidth, height: box.clientHeight }
  let shown: RowWindow = { first: 0, last: 0, shift: 0 }
  let across: Across = { first: 0, last: 0 }
  let marked: Place | undefined
  let resting: ReturnType<typeof setTimeout> | undefined

  const drawing: Drawing = { columns, lefts, text }
  const view = () => ({ count: rowCount, rowHeight, scrolled: box.scrollTop, inside: Math.max(1, size.height - headHeight) })

  const draw = () => {
    shown = rowWindow(view())
    const most = Math.min(rowCount, 2 * Math.ceil((Math.ceil(size.height / rowHeight) + 2 * BEYOND + 1) / 2))
    while (slots.length < most) slots.push(newSlot(layer, slots.length % 2 === 1))
    const now = columnsIn(lefts, box.scrollLeft - ASIDE, box.scrollLeft + size.width + ASIDE)
    const isMoved = now.first !== across.first || now.last !== across.last
    across = now
    for (const slot of slots) if (isMoved || slot.cells.length < across.last - across.first) bind(slot, across, drawing)
    // A row keeps its element while it is visible.
    for (let row = shown.first; row < shown.last; row++) {
      const slot = slots[row % slots.length]!
      const top = row * rowHeight + shown.shift
      if (slot.row !== row) fill(slot, row, drawing)
      if (slot.top !== top) slot.element.style.transform = `translateY(${top}px)`
      slot.top = top
    }
    markActive()
  }

  const onScroll = () => {
    draw()
    clearTimeout(resting)
    resting = setTimeout(() => putInOrder(slots, layer), REST)
  }

  const markActive = () => showActive(cellAt(slots, shown, marked), options)

  const observer = new ResizeObserver(() => {
    size = { width: box.clientWidth, height: box.clientHeight }
    draw()
  })
  observer.observe(box)
  box.addEventListener('scroll', onScroll, { passive: true })
  draw()

  return {
    get inSight() {
      return Math.max(1, shown.last - shown.first - 2 * BEYOND)
    },
    placeOf: (target) => placeIn(slots, target),
    boxOf: ({ row, column }) => ({
      left: lefts[column]!,
      top: row * rowHeight + shown.shift,
      width: columns[column]!.width,
      height: rowHeight,
    }),
    mark(place) {
      marked = place
      markActive()
    },
    reveal({ row, column }) {
      const top = scrolledTo(row, view())
      if (top !== undefined) box.scrollTop = top
      revealBetween(box, lefts[column]!, lefts[column + 1]!, size.width)
    },
    destroy() {
      observer.disconnect()
      box.removeEventListener('scroll', onScroll)
      box.removeAttribute('aria-activedescendant')
      clearTimeout(resting)
      for (const { element } of slots) element.remove()
    },
  }
}

/** What the cells of a row show. */
interface Drawing extends Pick<PoolOptions, 'columns' | 'text'> {
  readonly lefts: readonly number[]
}

interface Across {
  readonly first: number
  readonly last: number
}

/** Shows a row in a slot. */
function fill(slot: Slot, row: number, { columns, text }: Drawing): void {
  slot.row = row
  slot.element.hidden = false
  slot.element.ariaRowIndex = String(row + 2)
  for (const cell of slot.cells)
    if (cell.column !== NO_ROW) write(cell, text(row, cell.column), columns[cell.column]?.shade?.(row))
}

/** Gives the cells of a slot their columns. */
function bind(slot: Slot, { first, last }: Across, drawing: Drawing): void {
  while (slot.cells.length < last - first) slot.cells.push(newCell(slot.element))
  for (const [n, cell] of slot.cells.entries()) bindCell(cell, slot.row, first + n < last ? first + n : NO_ROW, drawing)
}

function bindCell(cell: Cell, row: number, column: number, { columns, lefts, text }: Drawing): void {
  if (cell.column === column) return
  cell.column = column
  cell.element.hidden = column === NO_ROW
  if (column === NO_ROW) return
  cell.element.ariaColIndex = String(column + 1)
  cell.element.style.left = `${lefts[column]}px`
  cell.element.style.width = `${columns[column]!.width}px`
  cell.element.classList.toggle('right', columns[column]!.isRight)
  if (row !== NO_ROW) write(cell, text(row, column), columns[column]!.shade?.(row))
}

function placeIn(slots: readonly Slot[], target: EventTarget | null): Place | undefined {
  const element = target instanceof Element ? target.closest('[role=gridcell]') : null
  for (const { row, cells } of slots) for (const cell of cells) if (cell.element === element) return { row, column: cell.column }
  return undefined
}

/** The cell that is drawn at a place. */
function cellAt(slots: readonly Slot[], { first, last }: RowWindow, place: Place | undefined): Cell | undefined {
  if (place === undefined || place.row < first || place.row >= last) return undefined
  return slots[place.row % slots.length]?.cells.find(({ column }) => column === place.column)
}

/** Scrolls as far as needed for a column to be visible. */
function revealBetween(box: HTMLElement, left: number, right: number, width: number): void {
  if (left < box.scrollLeft) box.scrollLeft = left
  else if (right > box.scrollLeft + width) box.scrollLeft = right - width
}

/** Puts the elements into reading order for screen readers. */
function putInOrder(slots: readonly Slot[], layer: HTMLElement): void {
  const ordered = slots.toSorted((a, b) => a.row - b.row)
  if (ordered.some(({ element }, n) => layer.children[n] !== element)) layer.prepend(...ordered.map(({ element }) => element))
}

/** Marks a cell as the one with the keyboard focus, if it is drawn. */
function showActive(cell: Cell | undefined, { box, layer, id }: Pick<PoolOptions, 'box' | 'layer' | 'id'>): void {
  const old = layer.querySelector<HTMLElement>('[data-active]')
  if (old === (cell?.element ?? null)) return
  if (old !== null) {
    delete old.dataset['active']
    old.removeAttribute('id')
  }
  if (cell === undefined) {
    box.removeAttribute('aria-activedescendant')
    return
  }
  cell.element.dataset['active'] = 'true'
  cell.element.id = id
  box.setAttribute('aria-activedescendant', id)
}

function newSlot(layer: HTMLElement, isOdd: boolean): Slot {
  const element = document.createElement('div')
  element.className = isOdd ? 'grid-line odd' : 'grid-line'
  element.role = 'row'
  // Without a row it has no position, and would cover the first one.
  element.hidden = true
  layer.append(element)
  return { element, cells: [], row: NO_ROW, top: Number.NaN }
}

function newCell(row: HTMLElement): Cell {
  const element = document.createElement('div')
  element.role = 'gridcell'
  const text = document.createTextNode('')
  element.append(text)
  row.append(element)
  return { element, text, isNothing: false, shade: undefined, column: NO_ROW }
}

function write(cell: Cell, shown: string | null, shade: number | undefined): void {
  const is = shown === '' ? NO_TEXT : (shown ?? '')
  if (cell.text.data !== is) cell.text.data = is
  if (cell.shade !== shade) shadeCell(cell, shade)
  const isNothing = shown === null || shown === ''
  if (cell.isNothing === isNothing) return
  cell.isNothing = isNothing
  cell.element.classList.toggle('null', isNothing)
}

function shadeCell(cell: Cell, shade: number | undefined): void {
  cell.shade = shade
  if (shade === undefined) delete cell.element.dataset['shade']
  else cell.element.dataset['shade'] = String(shade)
}

/** Where each column begins, and where the last one ends. */
export function leftsOf(columns: readonly DrawnColumn[]): readonly number[] {
  const lefts = [0]
  for (const { width } of columns) lefts.push(lefts.at(-1)! + width)
  return lefts
}

/** The columns that overlap a range of pixels. */
function columnsIn(lefts: readonly number[], from: number, to: number): Across {
  const first = lefts.findIndex((_left, n) => (lefts[n + 1] ?? Number.POSITIVE_INFINITY) > from)
  const last = lefts.findIndex((left) => left >= to)
  return { first: Math.max(0, first), last: last < 0 ? lefts.length - 1 : last }
}
