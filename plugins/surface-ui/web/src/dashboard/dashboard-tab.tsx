import { Button, FileButton, TextInput } from '@mantine/core'
import { IconFileDownload, IconFolderOpen, IconPlus, IconPrinter, IconRefresh } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { ModelRef, Schema } from '../api/types.js'
import { FilterShelf } from '../explore/filter-shelf.js'
import { fieldsOf } from '../model/fields.js'
import { finished } from '../query/finished.js'
import { isEmpty, type Query } from '../query/query.js'
import { saveAs } from '../results/save-drawing.js'
import { CopyAction } from '../shell/copy-action.js'
import { RangePicker } from '../time/range-picker.js'
import { timeFieldsOf } from '../time/time-fields.js'
import { useExtent } from '../time/use-extent.js'
import {
  comparedTile,
  type Dashboard,
  type DashboardTime,
  daysCompared,
  daysOf,
  type SavedQuestion,
  type Tile,
  tileQuery,
} from './dashboard.js'
import { TileCard } from './tile-card.js'

interface Props {
  readonly model: ModelRef
  readonly schema: Schema
  readonly canRun: boolean
  readonly dashboard: Dashboard
  /** The current question, which can become a tile. */
  readonly question: SavedQuestion
  readonly onChange: (dashboard: Dashboard) => void
  readonly onOpenFile: (file: File) => void
  readonly onOpenQuestion: (query: Query, tile: Tile) => void
}

/** Questions next to each other, with shared filters and one range of days. */
export default function DashboardTab(props: Props) {
  if (!props.canRun)
    return <p className="nothing">This server compiles questions but does not run them, so a dashboard has no answers.</p>
  return <Board {...props} />
}

function Board({ model, schema, dashboard, question, onChange, onOpenFile, onOpenQuestion }: Props) {
  const { title, tiles, filters = [], time } = dashboard
  const [attempt, setAttempt] = useState(0)
  const fields = useMemo(() => fieldsOf(schema), [schema])
  const times = useMemo(() => timeFieldsOf(fields), [fields])
  const field = times.find(({ name }) => name === time?.dimension) ?? times[0]
  const extent = useExtent(model, field)
  const range = daysOf(dashboard, extent?.to)
  const isReady = time?.span === undefined || range !== undefined
  const conditions = finished({ select: {}, where: filters }).where ?? []
  const asked = (tile: Tile) => tileQuery(tile, { filters: conditions, field, range })
  const compared = (tile: Tile) => (time?.compare === true ? comparedTile(tile, asked(tile), { field, range }) : undefined)
  const before = (tile: Tile) => {
    if (tile.as !== 'number' || time?.compare !== true || range === undefined) return undefined
    const earlier = daysCompared(range)
    return { query: tileQuery(tile, { filters: conditions, field, range: earlier }), range: earlier }
  }
  const setTime = (change: Partial<DashboardTime> | undefined) => {
    const { time: _time, ...rest } = dashboard
    onChange(change === undefined || field === undefined ? rest : { ...rest, time: { dimension: field.name, ...change } })
  }
  const compare = time?.compare === true ? { compare: true } : {}
  const setTile = (at: number, tile: Tile | undefined) =>
    onChange({ ...dashboard, tiles: tiles.flatMap((each, n) => (n === at ? (tile ?? []) : each)) })
  return (
    <div className="tab-body dashboard">
      <div className="tab-bar no-print">
        <TextInput
          size="xs"
          w={220}
          aria-label="Title of the dashboard"
          value={title}
          onChange={(event) => onChange({ ...dashboard, title: event.currentTarget.value })}
        />
        <RangePicker
          fields={times}
          {...{ field, extent, range }}
          span={time?.span}
          onField={({ name }) => onChange({ ...dashboard, time: { ...time, dimension: name } })}
          onSpan={(span) => setTime({ span, ...compare })}
          onRange={(days) => setTime(days && { range: days, ...compare })}
          compare={{ isOn: time?.compare === true, onChange: (isOn) => setTime({ ...time, compare: isOn }) }}
        />
        <span className="grow" />
        <BoardButtons
          canAdd={!isEmpty(question.query)}
          hasTiles={tiles.length > 0}
          onAdd={() => onChange({ ...dashboard, tiles: [...tiles, question] })}
          onSave={() => void saveBoard({ ...dashboard, model: model.name })}
          onRefresh={() => setAttempt((count) => count + 1)}
          onOpenFile={onOpenFile}
        />
      </div>
      <h2 className="only-print chart-title">{title}</h2>
      <FilterShelf
        {...{ model, fields }}
        only="dimension"
        query={{ select: {}, where: filters }}
        canAskValues
        onChange={({ where }) => onChange(filteredBy(dashboard, where))}
      />
      {tiles.length === 0 && <EmptyBoard />}
      <div className="tiles">
        {tiles.map((tile, at) => (
          <TileCard
            // biome-ignore lint/suspicious/noArrayIndexKey: two tiles may be equal.
            key={`${at} ${JSON.stringify(tile.query)}`}
            {...{ model, schema, tile, attempt }}
            query={isReady ? asked(tile) : undefined}
            compared={isReady ? compared(tile) : undefined}
            before={before(tile)}
            onChange={(next) => setTile(at, next)}
            onMove={(by) => onChange({ ...dashboard, tiles: moved(tiles, at, by) })}
            onOpen={(query) => onOpenQuestion(query, tile)}
          />
        ))}
      </div>
    </div>
  )
}

interface ButtonsProps extends Pick<Props, 'onOpenFile'> {
  readonly canAdd: boolean
  readonly hasTiles: boolean
  readonly onAdd: () => void
  readonly onSave: () => void
  readonly onRefresh: () => void
}

function BoardButtons({ canAdd, hasTiles, onAdd, onSave, onRefresh, onOpenFile }: ButtonsProps) {
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={!canAdd}
        onClick={onAdd}
      >
        Add the question
      </Button>
      <FileButton accept=".yaml,.yml" onChange={(file) => file && onOpenFile(file)}>
        {(props) => (
          <Button size="compact-sm" variant="subtle" leftSection={<IconFolderOpen size={15} aria-hidden />} {...props}>
            Open a file
          </Button>
        )}
      </FileButton>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconFileDownload size={15} aria-hidden />}
        disabled={!hasTiles}
        onClick={onSave}
      >
        Save as a file
      </Button>
      <CopyAction label="Copy link to this dashboard" hint="Copy a link to this dashboard" text={() => location.href} />
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconRefresh size={15} aria-hidden />}
        disabled={!hasTiles}
        onClick={onRefresh}
      >
        Refresh
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPrinter size={15} aria-hidden />}
        disabled={!hasTiles}
        onClick={() => print()}
      >
        Print
      </Button>
    </>
  )
}

function EmptyBoard() {
  return (
    <div className="nothing">
      <h2>This dashboard is empty</h2>
      <p>Build a query under Result, then add it here. Or open a dashboard that was saved as a file.</p>
    </div>
  )
}

function filteredBy({ filters: _filters, ...rest }: Dashboard, where: Query['where']): Dashboard {
  return where === undefined || where.length === 0 ? rest : { ...rest, filters: where }
}

async function saveBoard(dashboard: Dashboard): Promise<void> {
  const { writeDashboard } = await import('./dashboard-file.js')
  saveAs(new Blob([writeDashboard(dashboard)], { type: 'application/yaml' }), `${dashboard.title}.dashboard.yaml`)
}

function moved<T>(list: readonly T[], at: number, by: number): readonly T[] {
  const to = at + by
  return to < 0 || to >= list.length ? list : list.toSpliced(at, 1).toSpliced(to, 0, list[at]!)
}
