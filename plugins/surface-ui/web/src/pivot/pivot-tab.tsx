import { Loader, SegmentedControl } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Fragment, type ReactNode, useEffect, useMemo, useState } from 'react'
import { execute } from '../api/grainline.js'
import type { Answer, Column } from '../api/read-arrow.js'
import { isAbort, type Problem, problemOfError } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import { dimensionsOf, measuresOf, nameOf, type Query } from '../query/query.js'
import { cellOf } from '../results/cell-of.js'
import { formatterFor, NO_TEXT, shownValue } from '../results/format-value.js'
import { headingOf } from '../results/heading-of.js'
import type { LookedInto } from '../results/looked-into.js'
import { type Shade, shadesOf } from '../results/shades.js'
import { ProblemNotice } from '../shell/problem-notice.js'
import { CELLS_AT_MOST, type Heading, type Pivot, pivotOf, pivotQuery } from './pivot.js'
import { nextSort, type PivotSort, sortedRows } from './sort-pivot.js'

interface Props {
  readonly model: ModelRef
  /** The question that was run. */
  readonly query: Query
  /** Whether numbers are coloured by their size. */
  readonly coloured: boolean
  readonly onLook: (looked: LookedInto) => void
}

const ROWS_AT_MOST = 500
/** Maximum number of characters of a text that may be cut. */
const LONG = 40

/** The answer as rows and columns, with totals that the server computed. */
export default function PivotTab({ model, query, coloured, onLook }: Props) {
  const names = dimensionsOf(query).map(nameOf)
  const [chosen, setChosen] = useState<string>()
  const across = chosen !== undefined && names.includes(chosen) ? chosen : names.at(-1)
  const fits = names.length > 0 && measuresOf(query).length > 0
  const asked = useMemo(() => (fits && across !== undefined ? pivotQuery(query, across) : undefined), [fits, query, across])
  const [answer, setAnswer] = useState<Answer>()
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    if (asked === undefined) return
    const controller = new AbortController()
    setAnswer(undefined)
    setProblem(undefined)
    execute({ model, query: asked, signal: controller.signal })
      .then(setAnswer)
      .catch((error: unknown) => isAbort(error) || setProblem(problemOfError(error)))
    return () => controller.abort()
  }, [model, asked])

  if (asked === undefined || across === undefined) return <p className="nothing">A pivot needs a dimension and a measure.</p>
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  return (
    <div className="tab-body">
      <div className="tab-bar">
        <span className="quiet">Across</span>
        <SegmentedControl size="xs" aria-label="Across" data={names} value={across} onChange={setChosen} />
        <span className="quiet only-wide">Totals are computed by the database, not added up in the browser.</span>
      </div>
      {answer === undefined ? (
        <Loader size="sm" aria-label="Loading" />
      ) : (
        <PivotTable {...{ answer, across, asked, model, coloured, onLook }} />
      )}
    </div>
  )
}

interface TableProps {
  readonly answer: Answer
  readonly across: string
  readonly asked: Query
  readonly model: ModelRef
  readonly coloured: boolean
  readonly onLook: (looked: LookedInto) => void
}

function PivotTable({ answer, across, asked, model, coloured, onLook }: TableProps) {
  const { pivot, text } = useMemo(() => {
    const { columns, timezone, rowCount } = answer
    const formats = new Map(columns.map((each) => [each, formatterFor(each, { locale: navigator.language, timezone, rowCount })]))
    const text = (column: Column, row: number) => shownValue(column, row, formats.get(column)!)
    return { pivot: pivotOf(answer, across, text), text }
  }, [answer, across])
  const shades = useMemo(() => {
    const found = coloured ? shadesOf(answer.columns, answer.rowCount) : []
    return new Map(answer.columns.map((column, n) => [column, found[n]]))
  }, [answer, coloured])
  const { rows } = pivot
  const [sort, setSort] = useState<PivotSort>()
  const ordered = useMemo(() => sortedRows(pivot, sort), [pivot, sort])
  const shown = ordered.length > ROWS_AT_MOST ? [...ordered.slice(0, ROWS_AT_MOST - 1), ordered.at(-1)!] : ordered
  const look = (row: number, column: number, number: Column) => {
    const found = pivot.cell(row, column)
    if (found !== undefined) onLook({ model, query: asked, measure: number.name, cell: cellOf(answer, found) })
  }
  return (
    <>
      {answer.rowCount >= CELLS_AT_MOST && (
        <p className="fault" role="alert">
          This pivot has more than {CELLS_AT_MOST.toLocaleString()} cells, and not all of them are here. Filter the question
          first.
        </p>
      )}
      {shown.length < rows.length && <p className="quiet">The first {ROWS_AT_MOST.toLocaleString()} rows are shown.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section className="pivot-box" aria-label="Pivot" tabIndex={0}>
        <table className="pivot">
          <PivotHead {...{ pivot, across, sort }} onSort={setSort} />
          <tbody>
            {shown.map((line) => (
              <PivotRow key={line.key} {...{ pivot, text, shades, line, look }} row={rows.indexOf(line)} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

interface HeadProps {
  readonly pivot: Pivot
  readonly across: string
  readonly sort: PivotSort | undefined
  readonly onSort: (sort: PivotSort | undefined) => void
}

/** The headings of the columns; those of numbers sort the rows. */
function PivotHead({ pivot: { down, over, columns, numbers }, across, sort, onSort }: HeadProps) {
  const several = numbers.length > 1
  const directionOf = (column: string, number: string) =>
    sort?.column === column && sort.number === number ? sort.direction : undefined
  const sortBy = (column: string, number: string) => onSort(nextSort(sort, column, number))
  return (
    <thead>
      <tr>
        {(down.length === 0 ? [''] : down).map((name) => (
          <th key={name} scope="col" rowSpan={several ? 2 : 1}>
            {name === '' ? <span className="quiet">{across}</span> : name}
          </th>
        ))}
        {columns.map(({ key, headings, isTotal }) => {
          const words = headings.map((each, n) => (
            <Fragment key={`${over[n]}`}>
              {n > 0 && ', '}
              <HeadingText {...each} />
            </Fragment>
          ))
          const [only] = numbers
          return several || only === undefined ? (
            <th key={key} scope="colgroup" colSpan={numbers.length} className={isTotal ? 'total' : ''}>
              {words}
            </th>
          ) : (
            <SortHeading
              key={key}
              direction={directionOf(key, only.name)}
              onSort={() => sortBy(key, only.name)}
              isTotal={isTotal}
            >
              {words}
            </SortHeading>
          )
        })}
      </tr>
      {several && (
        <tr>
          {columns.flatMap(({ key }) =>
            numbers.map((number) => (
              <SortHeading
                key={`${key} ${number.name}`}
                direction={directionOf(key, number.name)}
                onSort={() => sortBy(key, number.name)}
              >
                {headingOf(number)}
              </SortHeading>
            )),
          )}
        </tr>
      )}
    </thead>
  )
}

interface SortProps {
  readonly direction: 'asc' | 'desc' | undefined
  readonly onSort: () => void
  readonly isTotal?: boolean
  readonly children: ReactNode
}

const SORTS = { asc: 'ascending', desc: 'descending' } as const

/** The heading of numbers: a click sorts the rows by them. */
function SortHeading({ direction, onSort, isTotal = false, children }: SortProps) {
  return (
    <th scope="col" aria-sort={direction && SORTS[direction]} className={isTotal ? 'number total' : 'number'}>
      <button type="button" title="Sort the rows by these numbers" onClick={onSort}>
        {direction === 'asc' && <IconArrowUp size={13} aria-hidden />}
        {direction === 'desc' && <IconArrowDown size={13} aria-hidden />}
        {children}
      </button>
    </th>
  )
}

interface RowProps {
  readonly pivot: Pivot
  readonly row: number
  readonly line: Pivot['rows'][number]
  readonly text: (column: Column, row: number) => string | null
  readonly shades: ReadonlyMap<Column, Shade | undefined>
  readonly look: (row: number, column: number, number: Column) => void
}

function PivotRow({ pivot: { down, columns, numbers, cell }, row, line: { headings, isTotal }, text, shades, look }: RowProps) {
  return (
    <tr className={isTotal ? 'total' : ''}>
      {isTotal ? (
        <th scope="row" colSpan={Math.max(1, down.length)}>
          Total
        </th>
      ) : (
        headings.map((each, n) => (
          <th key={`${down[n]}`} scope="row" title={each.text.length > LONG ? each.text : undefined}>
            <HeadingText {...each} />
          </th>
        ))
      )}
      {columns.flatMap((column, at) =>
        numbers.map((number) => {
          const found = cell(row, at)
          const shown = found === undefined ? null : text(number, found)
          return (
            <td
              key={`${column.key} ${number.name}`}
              className={column.isTotal ? 'total' : ''}
              data-shade={found === undefined ? undefined : shades.get(number)?.(found)}
            >
              {shown !== null && (
                <button type="button" title={`Rows behind ${number.name}`} onClick={() => look(row, at, number)}>
                  {shown}
                </button>
              )}
            </td>
          )
        }),
      )}
    </tr>
  )
}

/** The group of the others is recognizable, even next to a value with the same text. */
function HeadingText({ text, isOthers }: Heading) {
  if (!isOthers) return text || NO_TEXT
  return (
    <em className="quiet" title="All but the top values, as one group">
      {text}
    </em>
  )
}
