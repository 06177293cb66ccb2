import { Button, Drawer, Loader, MultiSelect, Tabs } from '@mantine/core'
import { IconCheck, IconDownload } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { downloadRows, type FactRows, type RowsBehind, rowsBehind } from '../api/grainline.js'
import type { Answer } from '../api/read-arrow.js'
import { isAbort, type Problem, problemOfError } from '../api/request.js'
import { ProblemNotice } from '../shell/problem-notice.js'
import { useFocusBack } from '../shell/use-focus-back.js'
import type { Cell } from './cell-of.js'
import { isNumber, NO_VALUE } from './format-value.js'
import { Grid } from './grid.js'
import type { LookedInto } from './looked-into.js'
import { saveAs } from './save-drawing.js'
import { useChosenColumns } from './use-chosen-columns.js'

interface Props {
  readonly looked: LookedInto
  readonly onClose: () => void
}

/** The rows behind a number, and whether they add up to it. */
export default function RowsDrawer({ looked, onClose }: Props) {
  useFocusBack()
  const [measure, setMeasure] = useState(looked.measure)
  const [behind, setBehind] = useState<RowsBehind>()
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    const controller = new AbortController()
    setBehind(undefined)
    setProblem(undefined)
    rowsBehind({ ...looked, measure, signal: controller.signal })
      .then(setBehind)
      .catch((error: unknown) => isAbort(error) || setProblem(problemOfError(error)))
    return () => controller.abort()
  }, [looked, measure])
  const others = problem?.code === 'NO_ROWS_BEHIND' ? (problem.suggestions ?? []) : []
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size="62vh"
      title={`Rows behind ${measure}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ body: 'rows-body', content: 'rows-drawer' }}
    >
      <CellChips cell={looked.cell} />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {others.length > 0 && (
        <p className="tab-bar pad">
          {others.map((name) => (
            <Button key={name} size="compact-sm" variant="default" onClick={() => setMeasure(name)}>
              Rows of {name}
            </Button>
          ))}
        </p>
      )}
      {behind === undefined && problem === undefined && <Loader size="sm" m="md" aria-label="Loading" />}
      {behind !== undefined && <Facts behind={behind} looked={looked} />}
    </Drawer>
  )
}

function CellChips({ cell }: { readonly cell: Cell }) {
  const entries = Object.entries(cell)
  return (
    <p className="cell-chips">
      {entries.length === 0 && <span className="quiet">of all rows</span>}
      {entries.map(([name, value]) => (
        <span key={name} className="pill">
          {name}: {value === null ? <em>{NO_VALUE}</em> : String(value)}
        </span>
      ))}
    </p>
  )
}

function Facts({ behind: { facts }, looked }: { readonly behind: RowsBehind; readonly looked: LookedInto }) {
  const [first] = facts
  if (first === undefined) return null
  if (facts.length === 1) return <Fact fact={first} looked={looked} />
  return (
    <Tabs defaultValue="0" className="tabs" keepMounted={false}>
      <Tabs.List>
        {facts.map(({ measure }, at) => (
          <Tabs.Tab key={measure} value={String(at)}>
            {measure}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {facts.map((fact, at) => (
        <Tabs.Panel key={fact.measure} value={String(at)}>
          <Fact fact={fact} looked={looked} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function Fact({ fact: first, looked }: { readonly fact: FactRows; readonly looked: LookedInto }) {
  const [columns, setColumns] = useState<readonly string[]>([])
  const { fact, problem } = useChosenColumns(first, looked, columns)
  const [failed, setFailed] = useState<Problem>()
  const answer = useMemo(() => answerOf(fact), [fact])
  const save = async () => {
    setFailed(undefined)
    try {
      saveAs(
        await downloadRows({ ...looked, measure: fact.measure, columns, limit: Math.max(1, fact.row_count) }),
        `${fact.measure}.csv`,
      )
    } catch (error) {
      setFailed(problemOfError(error))
    }
  }
  return (
    <div className="results">
      <div className="results-bar">
        <Reconciled fact={fact} />
        <span className="grow" />
        {first.offered_columns.length > 0 && (
          <MultiSelect
            className="columns-choice"
            size="xs"
            aria-label="Columns"
            placeholder={columns.length === 0 ? `Columns: all of ${first.object}` : undefined}
            data={first.offered_columns}
            value={[...columns]}
            onChange={setColumns}
            limit={200}
            searchable
            clearable
            nothingFoundMessage="No such column"
          />
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconDownload size={15} aria-hidden />}
          onClick={() => void save()}
        >
          CSV
        </Button>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {failed !== undefined && <ProblemNotice problem={failed} />}
      {fact.warnings.length > 0 && (
        <ul className="warnings">
          {fact.warnings.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {fact.rows.length === 0 ? <div className="nothing">No row counts here.</div> : <Grid answer={answer} />}
      <details className="rows-sql">
        <summary>SQL of these rows</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
        <pre tabIndex={0}>{fact.sql}</pre>
      </details>
    </div>
  )
}

/** The sentence that says whether the rows add up to the number. */
function Reconciled({
  fact: { measure, object, value, aggregated, reconciled, row_count, truncated, rows },
}: {
  readonly fact: FactRows
}) {
  const shown = truncated ? ` The first ${rows.length.toLocaleString()} are shown.` : ''
  return (
    <p className="facts" role="status">
      <strong>
        {row_count.toLocaleString()} {row_count === 1 ? 'row' : 'rows'} of {object}
      </strong>
      <span>
        give {written(aggregated)} for {measure}
        {reconciled ? '.' : `, and the answer has ${written(value)}.`}
        {shown}
      </span>
      {reconciled ? (
        <span className="pill good">
          <IconCheck size={13} aria-hidden /> reconciled
        </span>
      ) : (
        <span className="pill warn">not reconciled: the data changed meanwhile</span>
      )}
    </p>
  )
}

const written = (value: unknown): string =>
  value === null
    ? NO_VALUE
    : typeof value === 'number' || /^-?\d+$/.test(String(value))
      ? new Intl.NumberFormat(navigator.language, { maximumFractionDigits: 12 }).format(value as number)
      : String(value)

/** JSON values: numbers may be texts, so that no digit is lost; times are texts already. */
function answerOf({ columns, rows }: FactRows): Pick<Answer, 'columns' | 'rowCount' | 'timezone'> {
  return {
    rowCount: rows.length,
    timezone: 'UTC',
    columns: columns.map(({ name, type }, i) => ({
      name,
      type: isNumber(type) || type === 'boolean' ? type : 'string',
      role: 'field',
      at: (row) => {
        const value = rows[row]?.[i] ?? null
        return isNumber(type) && typeof value === 'string' ? Number(value) : value
      },
    })),
  }
}
