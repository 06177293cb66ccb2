import { Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Answer, Column } from '../api/read-arrow.js'
import { copyText } from '../shell/copy-text.js'
import { useFocusBack } from '../shell/use-focus-back.js'
import { heightOf } from '../state/row-window.js'
import { type CellValue, cellValue, isOthers } from './cell-of.js'
import { formatterFor, isNumber, NO_TEXT, NO_VALUE, shownValue } from './format-value.js'
import { headingOf } from './heading-of.js'
import { type DrawnColumn, leftsOf, type Place, type PoolOptions, type RowPool, rowPool } from './row-pool.js'
import { shadesOf } from './shades.js'
import { type Sorting, sortRows } from './sort-rows.js'

interface Props {
  readonly answer: Pick<Answer, 'columns' | 'rowCount' | 'timezone'>
  /** Colours numbers by their size. */
  readonly coloured?: boolean
  /** Shows only the rows of a value, or all other rows. */
  readonly onFilter?: (column: Column, value: CellValue, only: boolean) => void
  /** Shows the rows behind a number. */
  readonly onRows?: (column: Column, row: number) => void
  /** The dimensions by which a number can be broken down, and what does it. */
  readonly drills?: readonly string[]
  readonly onDrill?: (row: number, dimension: string) => void
}

const ROW = 28
const HEAD = 34
const TOP: Place = { row: 0, column: 0 }

/** The rows of an answer. Only visible rows are drawn, so any number is possible. Arrows move, Enter opens the menu of a cell. */
export function Grid({ answer, coloured = false, onFilter, onRows, drills, onDrill }: Props) {
  const { columns, rowCount } = answer
  const [sorting, setSorting] = useState<Sorting>()
  const [menu, setMenu] = useState<Place>()
  const box = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const id = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer starts in its own order.
  useEffect(() => {
    setSorting(undefined)
    setMenu(undefined)
    if (box.current !== null) box.current.scrollTop = 0
  }, [answer])
  const { order, text, drawn } = useDrawn(answer, sorting, coloured)

  const { pool, active } = useRowPool({ box, layer, id }, { rowCount, columns: drawn, text })
  useScrollAway(box, menu, () => setMenu(undefined))

  const go = (place: Place) => {
    active.current = { row: clamp(place.row, rowCount), column: clamp(place.column, columns.length) }
    pool.current?.mark(active.current)
    pool.current?.reveal(active.current)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (menu !== undefined || event.target !== box.current || event.metaKey) return
    const to = stepsFrom(active.current, { page: pool.current?.inSight ?? 1, rowCount, whole: event.ctrlKey })[event.key]
    if (to === undefined && (event.key !== 'Enter' || event.ctrlKey)) return
    event.preventDefault()
    if (to !== undefined) return go(to)
    pool.current?.reveal(active.current)
    // After any scrolling, which would close it.
    requestAnimationFrame(() => setMenu(active.current))
  }
  const sortBy = (column: number) => setSorting((now) => nextSorting(now, column, isNumber(columns[column]!.type)))
  const open = (event: MouseEvent) => {
    const place = pool.current?.placeOf(event.target)
    if (place === undefined) return
    active.current = place
    pool.current?.mark(place)
    setMenu(place)
  }

  const width = leftsOf(drawn).at(-1)!
  const opened = menu && columns[menu.column]
  const offered = menu &&
    opened &&
    pool.current && {
      column: opened,
      row: order?.[menu.row] ?? menu.row,
      shown: text(menu.row, menu.column),
      box: pool.current.boxOf(menu),
    }
  return (
    <div
      ref={box}
      className="grid"
      role="grid"
      aria-label="Rows of the answer"
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length}
      tabIndex={0}
      onClick={open}
      onKeyDown={onKeyDown}
    >
      <GridHead {...{ columns, drawn, sorting }} onSort={sortBy} />
      <div ref={layer} className="grid-rows" style={{ height: heightOf(rowCount, ROW), width }} role="presentation">
        {offered !== undefined && (
          <OfferedMenu
            {...{ answer, offered, onFilter, onRows, drills, onDrill }}
            onClose={() => {
              setMenu(undefined)
              box.current?.focus({ preventScroll: true })
            }}
          />
        )}
      </div>
    </div>
  )
}

/** What is drawn: the rows in their order, the text of each cell, and the columns. */
function useDrawn({ columns, rowCount, timezone }: Props['answer'], sorting: Sorting | undefined, coloured: boolean) {
  const order = useMemo(() => {
    const column = sorting && columns[sorting.column]
    return sorting && column ? sortRows(rowCount, column, sorting.descending) : undefined
  }, [columns, rowCount, sorting])
  const formatters = useMemo(
    () => columns.map((column) => formatterFor(column, { locale: navigator.language, timezone, rowCount })),
    [columns, timezone, rowCount],
  )
  const labels = useMemo(() => columns.map((column) => labelFor(columns, column)), [columns])
  const text = useCallback(
    (at: number, column: number) => {
      const row = order?.[at] ?? at
      return shownValue(columns[column]!, row, formatters[column]!) ?? labels[column]?.(row) ?? null
    },
    [columns, order, formatters, labels],
  )
  const plain = useMemo(() => drawnColumns(columns, rowCount, formatters), [columns, rowCount, formatters])
  const drawn = useMemo(() => {
    if (!coloured) return plain
    const shades = shadesOf(columns, rowCount)
    return plain.map((column, n): DrawnColumn => {
      const shade = shades[n]
      return shade === undefined ? column : { ...column, shade: (at) => shade(order?.[at] ?? at) }
    })
  }, [coloured, plain, columns, rowCount, order])
  return { order, text, drawn }
}

interface DrawnIn {
  readonly box: RefObject<HTMLDivElement | null>
  readonly layer: RefObject<HTMLDivElement | null>
  readonly id: string
}

/** The elements of the visible rows, and the cell that has the keyboard focus. */
function useRowPool(
  { box, layer, id }: DrawnIn,
  { rowCount, columns, text }: Pick<PoolOptions, 'rowCount' | 'columns' | 'text'>,
) {
  const pool = useRef<RowPool>(undefined)
  const active = useRef<Place>(TOP)
  useLayoutEffect(() => {
    if (box.current === null || layer.current === null) return
    const sizes = { rowCount, rowHeight: ROW, headHeight: HEAD }
    const made = rowPool({ box: box.current, layer: layer.current, id, ...sizes, columns, text })
    pool.current = made
    active.current = TOP
    made.mark(TOP)
    return made.destroy
  }, [box, layer, id, rowCount, columns, text])
  return { pool, active }
}

/** A menu of a cell closes when the rows move below it. */
function useScrollAway(box: RefObject<HTMLDivElement | null>, opened: Place | undefined, close: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu that is open now is closed.
  useEffect(() => {
    const scrolled = box.current
    if (opened === undefined || scrolled === null) return
    // The event of an earlier scroll may arrive late, so only a movement of the rows closes it.
    const { scrollTop, scrollLeft } = scrolled
    const onScroll = () => (scrolled.scrollTop !== scrollTop || scrolled.scrollLeft !== scrollLeft) && close()
    scrolled.addEventListener('scroll', onScroll)
    return () => scrolled.removeEventListener('scroll', onScroll)
  }, [opened])
}

/** A column is sorted, then the other way round, then in the order of the answer. Numbers begin with the largest. */
function nextSorting(now: Sorting | undefined, column: number, isNumeric: boolean): Sorting | undefined {
  if (now?.column !== column) return { column, descending: isNumeric }
  return now.descending === isNumeric ? { column, descending: !now.descending } : undefined
}

interface HeadProps {
  readonly columns: readonly Column[]
  readonly drawn: readonly DrawnColumn[]
  readonly sorting: Sorting | undefined
  readonly onSort: (column: number) => void
}

function GridHead({ columns, drawn, sorting, onSort }: HeadProps) {
  return (
    <div
      className="grid-head"
      role="row"
      tabIndex={-1}
      aria-rowindex={1}
      style={{ gridTemplateColumns: drawn.map((each) => `${each.width}px`).join(' '), height: HEAD }}
    >
      {columns.map((column, n) => (
        <div
          key={column.name}
          role="columnheader"
          tabIndex={-1}
          className={isNumber(column.type) ? 'right' : ''}
          aria-colindex={n + 1}
          aria-sort={sorting?.column !== n ? 'none' : sorting.descending ? 'descending' : 'ascending'}
        >
          <button type="button" tabIndex={-1} onClick={() => onSort(n)} title={`${column.name} (${column.type})`}>
            <span>{headingOf(column)}</span>
            {sorting?.column === n &&
              (sorting.descending ? <IconArrowDown size={14} aria-hidden /> : <IconArrowUp size={14} aria-hidden />)}
          </button>
        </div>
      ))}
    </div>
  )
}

interface OfferedProps extends Pick<Props, 'answer'> {
  readonly offered: { readonly column: Column; readonly row: number; readonly shown: string | null; readonly box: CSSProperties }
  readonly onFilter: Props['onFilter'] | undefined
  readonly onRows: Props['onRows'] | undefined
  readonly drills: readonly string[] | undefined
  readonly onDrill: Props['onDrill'] | undefined
  readonly onClose: () => void
}

/** What can be done with a cell. */
function OfferedMenu({ answer, offered, onFilter, onRows, drills = [], onDrill, onClose }: OfferedProps) {
  const { column, row, shown, box } = offered
  const isNamed = !isOthers(answer, column.name, row)
  return (
    <CellMenu
      {...{ column, shown, onClose }}
      place={box}
      onFilter={onFilter && isNamed ? (only) => onFilter(column, cellValue(column, row), only) : undefined}
      onRows={onRows && (() => onRows(column, row))}
      drills={isOfOthers(answer.columns, row) ? [] : drills}
      onDrill={(dimension) => onDrill?.(row, dimension)}
    />
  )
}

interface MenuProps {
  readonly column: Column
  readonly shown: string | null
  readonly onClose: () => void
  readonly onFilter: ((only: boolean) => void) | undefined
  readonly onRows: (() => void) | undefined
  readonly drills: readonly string[]
  readonly onDrill: (dimension: string) => void
  /** The position of the cell in the layer of rows. */
  readonly place: CSSProperties
}

function CellMenu({ column, shown, onClose, onFilter, onRows, drills, onDrill, place }: MenuProps) {
  useFocusBack()
  const short = shown === null ? NO_VALUE : shown === '' ? NO_TEXT : shown.length > 30 ? `${shown.slice(0, 30)}…` : shown
  return (
    <Menu opened onChange={(open) => open || onClose()} position="bottom-start" shadow="md">
      <Menu.Target>
        <span className="cell-anchor" style={place} />
      </Menu.Target>
      <Menu.Dropdown className="long-menu">
        {onRows && (column.role === 'measure' || column.role === 'metric') && (
          <Menu.Item onClick={onRows}>Rows behind this number</Menu.Item>
        )}
        {onFilter && column.role === 'dimension' && (
          <>
            <Menu.Item onClick={() => onFilter(true)}>Only {short}</Menu.Item>
            <Menu.Item onClick={() => onFilter(false)}>All but {short}</Menu.Item>
          </>
        )}
        <Menu.Item onClick={() => void copyText(shown ?? '')}>Copy</Menu.Item>
        {drills.length > 0 && (column.role === 'measure' || column.role === 'metric') && (
          <>
            <Menu.Divider />
            <Menu.Label>Break down by</Menu.Label>
            {drills.map((name) => (
              <Menu.Item key={name} onClick={() => onDrill(name)}>
                {name}
              </Menu.Item>
            ))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface Step {
  readonly page: number
  readonly rowCount: number
  /** To the first or the last row. */
  readonly whole: boolean
}

/** The cell that a key moves to. */
function stepsFrom({ row, column }: Place, { page, rowCount, whole }: Step): Readonly<Record<string, Place>> {
  if (whole) return { Home: TOP, End: { row: rowCount - 1, column: Number.POSITIVE_INFINITY } }
  return {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + page, column },
    PageUp: { row: row - page, column },
    Home: { row, column: 0 },
    End: { row, column: Number.POSITIVE_INFINITY },
  }
}

const clamp = (wanted: number, count: number): number => Math.max(0, Math.min(count - 1, wanted))

/** The group of the others is no value that a filter could name. */
const isOfOthers = (columns: readonly Column[], row: number): boolean =>
  columns.some(({ role, name }) => role === 'dimension' && isOthers({ columns }, name, row))

/** What a dimension without a value says: a subtotal is over all its values, and the group of the others is no value. */
function labelFor(columns: readonly Column[], { name, role }: Column): ((row: number) => string | null) | undefined {
  if (role !== 'dimension') return undefined
  const [total, others] = [`${name} is total`, `${name} is others`].map((flag) =>
    columns.find((each) => each.name === flag && each.role === 'grouping'),
  )
  if (total === undefined && others === undefined) return undefined
  return (row) => (total?.at(row) === true ? 'Total' : others?.at(row) === true ? 'Others' : null)
}

/** Wide enough for the heading and the first visible rows; longer texts end with an ellipsis. */
function drawnColumns(
  columns: readonly Column[],
  rowCount: number,
  formatters: readonly ((value: unknown) => string)[],
): readonly DrawnColumn[] {
  const sample = Math.min(rowCount, 60)
  return columns.map((column, n) => {
    const lengths = Array.from({ length: sample }, (_, row) => (shownValue(column, row, formatters[n]!) ?? '').length)
    const characters = Math.min(46, Math.max(headingOf(column).length + 3, ...lengths))
    return { width: Math.max(84, Math.round(characters * 7.6) + 22), isRight: isNumber(column.type) }
  })
}
