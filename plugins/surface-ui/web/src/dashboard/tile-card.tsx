import { ActionIcon, Loader, Menu, TextInput } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight, IconDots, IconMinus } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import type { Answer, Column } from '../api/read-arrow.js'
import type { ModelRef, Schema } from '../api/types.js'
import { kindsFor, shapeOf } from '../chart/chart-kind.js'
import { ChartView } from '../chart/chart-view.js'
import { additiveIn } from '../chart/is-additive.js'
import { useGrouped } from '../chart/use-grouped.js'
import type { Query } from '../query/query.js'
import { titleOf } from '../query/title-of.js'
import { formatterFor, NO_VALUE, shownValue } from '../results/format-value.js'
import { Grid } from '../results/grid.js'
import { headingOf } from '../results/heading-of.js'
import { ProblemNotice } from '../shell/problem-notice.js'
import type { Range } from '../time/time-range.js'
import { changeOf } from './change.js'
import { SHOWN_AS, type ShownAs, type Tile } from './dashboard.js'
import { useAnswer } from './use-answer.js'

export interface Before {
  readonly query: Query
  readonly range: Range
}

interface Props {
  readonly model: ModelRef
  readonly schema: Schema
  readonly tile: Tile
  /** Its query with the filters and days of the dashboard; `undefined` until the days are known. */
  readonly query: Query | undefined
  /** The same with the values of the period before beside its own. */
  readonly compared: Query | undefined
  /** The same query for the period before. */
  readonly before: Before | undefined
  readonly attempt: number
  readonly onChange: (tile: Tile | undefined) => void
  readonly onMove: (by: -1 | 1) => void
  readonly onOpen: (query: Query) => void
}

const TITLES: Readonly<Record<ShownAs, string>> = { number: 'Numbers', chart: 'Chart', table: 'Table' }

/** One question of a dashboard with its answer. */
export function TileCard({
  model,
  schema,
  tile: given,
  query: plain,
  compared,
  before,
  attempt,
  onChange,
  onMove,
  onOpen,
}: Props) {
  // A change elsewhere in the dashboard must not ask again.
  const tile = useSame(given)
  const { query, answer, problem } = useCompared({ model, plain, compared, attempt })
  const [isNaming, setNaming] = useState(false)
  const wantsName = useRef(false)
  const title = tile.title || titleOf(tile.query)
  return (
    <section className={`tile ${tile.wide === true ? 'wide' : ''} as-${tile.as}`} aria-label={title}>
      <header className="tab-bar">
        {isNaming ? (
          <TitleInput
            title={title}
            onEnd={(text) => {
              setNaming(false)
              onChange({ ...tile, title: text })
            }}
          />
        ) : (
          <h2 className="grow">{title}</h2>
        )}
        <Menu
          position="bottom-end"
          shadow="md"
          // While the menu closes, it still takes the focus from the field.
          onExitTransitionEnd={() => {
            if (wantsName.current) setNaming(true)
            wantsName.current = false
          }}
        >
          <Menu.Target>
            <ActionIcon variant="subtle" className="no-print" aria-label={`Change the tile ${title}`}>
              <IconDots size={17} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onOpen(query ?? tile.query)}>Open as a question</Menu.Item>
            <Menu.Item
              onClick={() => {
                wantsName.current = true
              }}
            >
              Rename
            </Menu.Item>
            <Menu.Divider />
            <Menu.Label>Show as</Menu.Label>
            {SHOWN_AS.map((as) => (
              <Menu.Item key={as} aria-current={as === tile.as} onClick={() => onChange({ ...tile, as })}>
                {TITLES[as]}
              </Menu.Item>
            ))}
            <Menu.Divider />
            <Menu.Item onClick={() => onChange({ ...tile, wide: tile.wide !== true })}>
              {tile.wide === true ? 'Half width' : 'Whole width'}
            </Menu.Item>
            <Menu.Item onClick={() => onMove(-1)}>Move up</Menu.Item>
            <Menu.Item onClick={() => onMove(1)}>Move down</Menu.Item>
            <Menu.Divider />
            <Menu.Item onClick={() => onChange(undefined)}>Remove</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </header>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {answer === undefined && problem === undefined && <Loader size="sm" aria-label="Loading" />}
      {answer !== undefined && query !== undefined && <Shown {...{ model, schema, tile, answer, query, before, attempt }} />}
    </section>
  )
}

function TitleInput({ title, onEnd }: { readonly title: string; readonly onEnd: (text: string) => void }) {
  return (
    <TextInput
      size="xs"
      className="grow"
      aria-label="Title of the tile"
      autoFocus
      defaultValue={title}
      onBlur={(event) => onEnd(event.currentTarget.value.trim())}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  )
}

interface ComparedProps extends Pick<Props, 'model' | 'compared' | 'attempt'> {
  readonly plain: Query | undefined
}

/** The answer with the period before; that of the question alone if its measures or rows cannot be compared. */
function useCompared({ model, plain, compared, attempt }: ComparedProps) {
  const [wanted, alone] = [useSame(compared ?? plain), useSame(plain)]
  const first = useAnswer({ model, query: wanted, attempt })
  const isRefused = compared !== undefined && first.problem !== undefined
  const second = useAnswer({ model, query: isRefused ? alone : undefined, attempt })
  return isRefused ? { query: alone, ...second } : { query: wanted, ...first }
}

/** The same object as long as its content is the same. */
function useSame<T>(value: T): T {
  const kept = useRef(value)
  if (JSON.stringify(kept.current) !== JSON.stringify(value)) kept.current = value
  return kept.current
}

interface ShownProps extends Pick<Props, 'model' | 'schema' | 'tile' | 'before' | 'attempt'> {
  readonly answer: Answer
  readonly query: Query
}

function Shown({ model, schema, tile, answer, query, before, attempt }: ShownProps) {
  if (answer.rowCount === 0) return <p className="quiet">No row matches the filters.</p>
  if (tile.as === 'number') return <TileNumbers {...{ model, answer, before, attempt }} />
  if (tile.as === 'chart') return <TileChart {...{ model, schema, tile, answer, query }} />
  return (
    <>
      {answer.truncated && <p className="quiet">The first {answer.rowCount.toLocaleString()} rows; more exist.</p>}
      <Grid answer={answer} />
    </>
  )
}

function TileChart({ model, schema, tile, answer: whole, query }: Omit<ShownProps, 'before' | 'attempt'>) {
  const look = useMemo(() => tile.chart ?? {}, [tile.chart])
  const { grouped, isAsking } = useGrouped({ model, query, answer: whole, look })
  const answer = grouped?.answer ?? whole
  const shape = useMemo(() => shapeOf(answer.columns, look), [answer, look])
  const kinds = kindsFor(shape, answer.rowCount, additiveIn(schema))
  const kind = kinds.find((each) => each === look.kind) ?? kinds[0]
  if (isAsking) return <Loader size="sm" aria-label="Loading" />
  if (kind === undefined || kind === 'number') return <Grid answer={answer} />
  const notes = grouped === undefined ? [] : [grouped.note]
  return <ChartView {...{ answer, shape, kind, look, notes }} query={grouped?.query ?? query} />
}

function TileNumbers({ model, answer, before, attempt }: Pick<ShownProps, 'model' | 'answer' | 'before' | 'attempt'>) {
  const earlier = useAnswer({ model, query: before?.query, attempt }).answer
  const numbers = answer.columns.filter(({ role }) => role === 'measure' || role === 'metric')
  return (
    <div className="tile-numbers">
      {numbers.map((column) => (
        <div key={column.name}>
          {numbers.length > 1 && <span className="quiet">{headingOf(column)}</span>}
          <strong>{textOf(answer, column)}</strong>
          {before !== undefined && earlier !== undefined && <Against {...{ answer, column, earlier }} range={before.range} />}
        </div>
      ))}
      {answer.rowCount > 1 && <p className="quiet">The first of {answer.rowCount.toLocaleString()} rows.</p>}
    </div>
  )
}

interface AgainstProps {
  readonly answer: Answer
  readonly column: Column
  readonly earlier: Answer
  readonly range: Range
}

function Against({ column, earlier, range: { from, to } }: AgainstProps) {
  const other = earlier.columns.find(({ name }) => name === column.name)
  const before = other?.at(0)
  const change = changeOf({ now: column.at(0), before, format: column.format, locale: navigator.language })
  const days = from === to ? from : `${from} to ${to}`
  if (change === undefined || other === undefined) return <span className="quiet">No value in {days} to compare with</span>
  const Arrow = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconMinus }[change.direction]
  return (
    <span className={`change ${change.direction}`}>
      <Arrow size={15} aria-hidden /> {change.text}{' '}
      <span className="quiet">
        against {textOf(earlier, other)}, {days}
      </span>
    </span>
  )
}

function textOf({ timezone }: Answer, column: Column): string {
  return shownValue(column, 0, formatterFor(column, { locale: navigator.language, timezone, rowCount: 1 })) ?? NO_VALUE
}
