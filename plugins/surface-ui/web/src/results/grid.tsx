import { Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import type { Answer, Column } from '../api/read-arrow.js'
import { useRowWindow } from '../state/use-row-window.js'
import { formatterFor, isNumber, shownValue } from './format-value.js'
import { type Sorting, sortRows } from './sort-rows.js'

interface Props {
  readonly answer: Pick<Answer, 'columns' | 'rowCount' | 'timezone'>
  /** A person wants to see only, or not, the rows of a value. */
  readonly onFilter?: (column: Column, value: unknown, only: boolean) => void
  /** A person wants to see what a number was made of. */
  readonly onRows?: (column: Column, row: number) => void
}

interface Cell {
  readonly row: number
  readonly column: number
}

const ROW = 28
const HEAD = 34

/** The rows of an answer: any number of them, since only those in sight are drawn. Arrows walk, Enter opens what a cell offers. */
export function Grid({ answer, onFilter, onRows }: Props) {
  const { columns, rowCount, timezone } = answer
  const [sorting, setSorting] = useState<Sorting>()
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 })
  const [menu, setMenu] = useState<Cell>()
  const id = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer begins in its own order.
  useEffect(() => {
    setSorting(undefined)
    setMenu(undefined)
    setActive({ row: 0, column: 0 })
  }, [answer])
  const order = useMemo(() => {
    const column = sorting && columns[sorting.column]
    return sorting && column ? sortRows(rowCount, column, sorting.descending) : undefined
  }, [columns, rowCount, sorting])
  const formatters = useMemo(
    () => columns.map((column) => formatterFor(column, { locale: navigator.language, timezone })),
    [columns, timezone],
  )
  const text = (row: number, column: number): string | null => {
    const of = columns[column]!
    return shownValue(of, order?.[row] ?? row, formatters[column]!)
  }
  const widths = useMemo(() => widthsOf(columns, rowCount, formatters), [columns, rowCount, formatters])
  const template = widths.map((width) => `${width}px`).join(' ')
  const view = useRowWindow(rowCount, ROW, HEAD)

  const go = (row: number, column: number) => {
    const to = { row: clamp(row, rowCount), column: clamp(column, columns.length) }
    setActive(to)
    view.reveal(to.row)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (menu !== undefined || event.ctrlKey || event.metaKey) return
    const page = Math.max(1, view.last - view.first - 12)
    const to = stepsFrom(active, page)[event.key]
    if (to === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (to === undefined) setMenu(active)
    else go(to.row, to.column)
  }
  const sortBy = (column: number) =>
    setSorting((now) =>
      now?.column !== column
        ? { column, descending: isNumber(columns[column]!.type) }
        : now.descending === isNumber(columns[column]!.type)
          ? { column, descending: !now.descending }
          : undefined,
    )

  const rows = Array.from({ length: Math.max(0, view.last - view.first) }, (_, n) => view.first + n)
  return (
    <div
      ref={view.ref}
      className="grid"
      role="grid"
      aria-label="Rows of the answer"
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length}
      aria-activedescendant={
        menu === undefined && active.row >= view.first && active.row < view.last
          ? `${id}-${active.row}-${active.column}`
          : undefined
      }
      tabIndex={0}
      onScroll={view.onScroll}
      onKeyDown={onKeyDown}
    >
      <div
        className="grid-row head"
        role="row"
        tabIndex={-1}
        aria-rowindex={1}
        style={{ gridTemplateColumns: template, height: HEAD }}
      >
        {columns.map((column, n) => (
          <div
            key={column.name}
            role="columnheader"
            tabIndex={-1}
            className={isNumber(column.type) ? 'right' : ''}
            aria-sort={sorting?.column !== n ? 'none' : sorting.descending ? 'descending' : 'ascending'}
          >
            <button type="button" tabIndex={-1} onClick={() => sortBy(n)} title={`${column.name} (${column.type})`}>
              <span>{column.name}</span>
              {sorting?.column === n &&
                (sorting.descending ? <IconArrowDown size={14} aria-hidden /> : <IconArrowUp size={14} aria-hidden />)}
            </button>
          </div>
        ))}
      </div>
      <div className="tall" style={{ height: view.height }} role="presentation">
        {rows.map((row) => (
          <div
            key={row}
            className={`grid-row ${row % 2 === 1 ? 'odd' : ''}`}
            role="row"
            tabIndex={-1}
            aria-rowindex={row + 2}
            style={{ gridTemplateColumns: template, top: view.topOf(row), height: ROW }}
          >
            {columns.map((column, n) => {
              const shown = text(row, n)
              const isActive = active.row === row && active.column === n
              const cell = (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its cells.
                <div
                  key={column.name}
                  id={`${id}-${row}-${n}`}
                  role="gridcell"
                  tabIndex={-1}
                  aria-colindex={n + 1}
                  data-active={isActive || undefined}
                  className={`${isNumber(column.type) ? 'right' : ''} ${shown === null ? 'null' : ''}`}
                  onClick={() => {
                    setActive({ row, column: n })
                    setMenu({ row, column: n })
                  }}
                >
                  {shown ?? 'null'}
                </div>
              )
              if (menu?.row !== row || menu.column !== n) return cell
              return (
                <CellMenu
                  key={column.name}
                  column={column}
                  shown={shown}
                  onClose={() => setMenu(undefined)}
                  onFilter={onFilter && ((only) => onFilter(column, column.at(order?.[row] ?? row), only))}
                  onRows={onRows && (() => onRows(column, order?.[row] ?? row))}
                >
                  {cell}
                </CellMenu>
              )
            })}
          </div>
        ))}
      </div>
    </div>
  )
}

interface MenuProps {
  readonly column: Column
  readonly shown: string | null
  readonly onClose: () => void
  readonly onFilter: ((only: boolean) => void) | undefined
  readonly onRows: (() => void) | undefined
  readonly children: React.ReactElement
}

function CellMenu({ column, shown, onClose, onFilter, onRows, children }: MenuProps) {
  const short = shown === null ? 'null' : shown.length > 30 ? `${shown.slice(0, 30)}…` : shown
  return (
    <Menu opened onChange={(open) => open || onClose()} position="bottom-start" shadow="md" returnFocus>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {onRows && (column.role === 'measure' || column.role === 'metric') && (
          <Menu.Item onClick={onRows}>Rows behind this number</Menu.Item>
        )}
        {onFilter && column.role === 'dimension' && (
          <>
            <Menu.Item onClick={() => onFilter(true)}>Only {short}</Menu.Item>
            <Menu.Item onClick={() => onFilter(false)}>All but {short}</Menu.Item>
          </>
        )}
        <Menu.Item onClick={() => void navigator.clipboard.writeText(shown ?? '')}>Copy</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Where a key leads from a cell. */
function stepsFrom({ row, column }: Cell, page: number): Readonly<Record<string, Cell>> {
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

/** Wide enough for the heading and for what is seen first; longer texts are cut with dots. */
function widthsOf(
  columns: readonly Column[],
  rowCount: number,
  formatters: readonly ((value: unknown) => string)[],
): readonly number[] {
  const sample = Math.min(rowCount, 60)
  return columns.map((column, n) => {
    const lengths = Array.from({ length: sample }, (_, row) => (shownValue(column, row, formatters[n]!) ?? '').length)
    const characters = Math.min(46, Math.max(column.name.length + 3, ...lengths))
    return Math.max(84, Math.round(characters * 7.6) + 22)
  })
}
