import { ActionIcon, Button, Loader, Menu, Popover, Tooltip, UnstyledButton } from '@mantine/core'
import { IconDownload, IconReceipt } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { type DownloadFormat, download } from '../api/grainline.js'
import type { Answer, Column } from '../api/read-arrow.js'
import { type Problem, problemOfError } from '../api/request.js'
import { drilled } from '../query/drilled.js'
import type { Query } from '../query/query.js'
import { ProblemNotice } from '../shell/problem-notice.js'
import type { Run } from '../state/use-run.js'
import type { Start } from '../state/use-starts.js'
import { type CellValue, cellOf } from './cell-of.js'
import { useColoured } from './colour-switch.js'
import { Grid } from './grid.js'
import type { LookedInto } from './looked-into.js'
import { saveAs } from './save-drawing.js'

const ReceiptPage = lazy(() => import('./receipt-page.js'))

interface Props {
  readonly run: Run
  readonly empty: string
  /** Questions to begin with. */
  readonly starts: readonly Start[]
  readonly onStart: (query: Query) => void
  readonly onFilter: (column: Column, value: CellValue, only: boolean) => void
  readonly onLook: (looked: LookedInto) => void
  /** The dimensions that fit the question. */
  readonly drills: readonly string[]
}

/** More would be a list to read. */
const STARTS = 6

/** The answer, or why there is none. */
export function Results({ run, empty, starts, onStart, onFilter, onLook, drills }: Props) {
  const { answered, problem, running } = run
  const [failed, setFailed] = useState<Problem>()
  const { coloured, colourSwitch } = useColoured()
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (answered === undefined) return <NoAnswer {...{ running, empty, starts, onStart }} />
  const { answer, model, query } = answered
  const save = async (format: DownloadFormat) => {
    setFailed(undefined)
    try {
      saveAs(await download({ model, query, format }), `${model.name}.${format}`)
    } catch (error) {
      setFailed(problemOfError(error))
    }
  }
  return (
    <div className="results">
      <div className="results-bar">
        <Facts answer={answer} />
        <span className="grow" />
        {running && <Loader size="xs" role="status" aria-label="Running" />}
        {answer.receipt !== undefined && (
          <Popover position="bottom-end" shadow="md" width={440} withinPortal trapFocus>
            <Popover.Target>
              <Button size="compact-sm" variant="subtle" leftSection={<IconReceipt size={15} aria-hidden />}>
                Receipt
              </Button>
            </Popover.Target>
            <Popover.Dropdown>
              <Suspense fallback={<Loader size="sm" role="status" aria-label="Loading" />}>
                <ReceiptPage receipt={answer.receipt} />
              </Suspense>
            </Popover.Dropdown>
          </Popover>
        )}
        {colourSwitch}
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <Tooltip label="Download">
              <ActionIcon variant="subtle" aria-label="Download">
                <IconDownload size={17} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => save('csv')}>CSV</Menu.Item>
            <Menu.Item onClick={() => save('arrow')}>Arrow</Menu.Item>
            <Menu.Item onClick={() => save('parquet')}>Parquet</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {failed !== undefined && <ProblemNotice problem={failed} />}
      <Warnings answer={answer} />
      {answer.rowCount === 0 ? (
        <div className="nothing">No row matches the filters.</div>
      ) : (
        <Grid
          answer={answer}
          coloured={coloured}
          onFilter={onFilter}
          drills={drills}
          onDrill={(row, dimension) => onStart(drilled(query, cellOf(answer, row), dimension))}
          onRows={(column, row) => onLook({ model, query, measure: column.name, cell: cellOf(answer, row) })}
        />
      )}
    </div>
  )
}

function NoAnswer({ running, empty, starts, onStart }: Pick<Props, 'empty' | 'starts' | 'onStart'> & Pick<Run, 'running'>) {
  return (
    <div className="nothing">
      {running ? (
        <>
          <Loader size="sm" /> <span>The database is running the query.</span>
        </>
      ) : (
        <>
          <p>{empty}</p>
          {starts.length > 0 && (
            <ul className="starts" aria-label="Questions to begin with">
              {starts.slice(0, STARTS).map(({ title, description, load }) => (
                <li key={title}>
                  <UnstyledButton onClick={() => void load().then(onStart)}>
                    <strong>{title}</strong>
                    {description !== null && <span className="quiet">{description}</span>}
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  )
}

function Facts({ answer }: { readonly answer: Answer }) {
  const { rowCount, truncated, totalMs, serverMs, cached, cachedAt, timezone } = answer
  const [oldest] = (answer.receipt?.tables ?? []).map(({ as_of }) => as_of).sort()
  const times = [
    `${duration(totalMs)} in all`,
    ...(Number.isNaN(serverMs) ? [] : [`${duration(serverMs)} of it in the server`]),
  ].join(', ')
  return (
    <p className="facts" aria-live="polite">
      <strong>
        {rowCount.toLocaleString()} {rowCount === 1 ? 'row' : 'rows'}
      </strong>
      {truncated && <span className="pill warn">more exist</span>}
      <span title={times}>{duration(totalMs)}</span>
      {cached && (
        <span className="pill">
          from the cache{cachedAt === undefined ? '' : `, read ${new Date(cachedAt).toLocaleTimeString()}`}
        </span>
      )}
      {oldest !== undefined && (
        <span className="pill" title={`Read from rollup tables as of ${new Date(oldest).toLocaleString()}`}>
          rollup, {ageText(Date.now() - Date.parse(oldest))} old
        </span>
      )}
      <span className="quiet">{timezone}</span>
    </p>
  )
}

const STEPS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const

/** The age of a table in its longest unit. */
function ageText(milliseconds: number): string {
  const [unit, length] = STEPS.find(([, each]) => milliseconds >= each) ?? (['min', 60_000] as const)
  return `${Math.max(0, Math.floor(milliseconds / length))} ${unit}`
}

function Warnings({ answer: { warnings } }: { readonly answer: Answer }) {
  if (warnings.length === 0) return null
  return (
    <ul className="warnings">
      {warnings.map(({ code, message, hint }) => (
        <li key={`${code} ${message}`}>
          {message} {hint !== undefined && <span className="quiet">{hint}</span>}
        </li>
      ))}
    </ul>
  )
}

const duration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)
