import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type DownloadFormat, download } from '../api/grainline.js'
import type { Column } from '../api/read-arrow.js'
import { type Problem, problemOfError } from '../api/request.js'
import type { Schema } from '../api/types.js'
import type { ChartLook } from '../chart/chart-look.js'
import { Waiting } from '../page/waiting.js'
import { drilled } from '../query/drilled.js'
import type { Form } from '../query/forms.js'
import type { Query } from '../query/query.js'
import { ProblemNotice } from '../shell/problem-notice.js'
import type { Run } from '../state/use-run.js'
import type { Start } from '../state/use-starts.js'
import { type CellValue, cellOf } from './cell-of.js'
import { useColoured } from './colour-switch.js'
import { Grid } from './grid.js'
import type { LookedInto } from './looked-into.js'
import { NoAnswer } from './no-answer.js'
import { ResultBar } from './result-bar.js'
import { saveAs } from './save-drawing.js'
import { Warnings } from './warnings.js'

const ChartTab = lazy(() => import('../chart/chart-tab.js'))
const ComparedTimes = lazy(() => import('../time/compared-times.js'))
const PivotTab = lazy(() => import('../pivot/pivot-tab.js'))

interface Props {
  readonly form: Form
  readonly formSwitch: ReactNode
  readonly run: Run
  readonly schema: Schema
  readonly empty: string
  /** Questions to begin with. */
  readonly starts: readonly Start[]
  readonly onStart: (query: Query) => void
  readonly onFilter: (column: Column, value: CellValue, only: boolean) => void
  readonly onLook: (looked: LookedInto) => void
  /** The dimensions that fit the question. */
  readonly drills: readonly string[]
  readonly look: ChartLook
  readonly onLookOfChart: (look: ChartLook) => void
}

type Answered = NonNullable<Run['answered']>

/** The result as a table, a chart or a pivot, or why there is none. */
export function Results(props: Props) {
  const { run, form, formSwitch, empty, starts, onStart } = props
  const { running, problem } = run
  const answered = problem === undefined ? run.answered : undefined
  const { failed, save } = useDownload(answered)
  const { coloured, colourSwitch } = useColoured()
  return (
    <div className="results">
      <ResultBar
        {...{ running, formSwitch }}
        answer={answered?.answer}
        tools={answered !== undefined && form !== 'chart' && colourSwitch}
        onSave={(format) => void save(format)}
      />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {failed !== undefined && <ProblemNotice problem={failed} />}
      {problem === undefined && answered === undefined && <NoAnswer {...{ running, empty, starts, onStart }} />}
      {answered !== undefined && <Body {...props} {...{ answered, coloured }} />}
    </div>
  )
}

interface BodyProps extends Props {
  readonly answered: Answered
  readonly coloured: boolean
}

function Body(props: BodyProps) {
  const { form, answered } = props
  return (
    <>
      <Suspense fallback={null}>
        <ComparedTimes receipt={answered.answer.receipt} />
      </Suspense>
      <Warnings answer={answered.answer} />
      {answered.answer.rowCount === 0 ? (
        <div className="nothing">No row matches the filters.</div>
      ) : (
        <Suspense fallback={<Waiting here />}>{(BODIES[form] ?? asTable)(props)}</Suspense>
      )}
    </>
  )
}

const BODIES: Readonly<Partial<Record<Form, (props: BodyProps) => ReactNode>>> = {
  chart: ({ answered, schema, look, onLookOfChart }) => <ChartTab {...answered} {...{ schema, look }} onLook={onLookOfChart} />,
  pivot: ({ answered: { model, query }, coloured, onLook }) => <PivotTab {...{ model, query, coloured, onLook }} />,
}

const asTable = ({ answered: { answer, model, query }, coloured, onFilter, onLook, onStart, drills }: BodyProps) => (
  <Grid
    {...{ answer, coloured, onFilter, drills }}
    onDrill={(row, dimension) => onStart(drilled(query, cellOf(answer, row), dimension))}
    onRows={(column, row) => onLook({ model, query, measure: column.name, cell: cellOf(answer, row) })}
  />
)

function useDownload(answered: Answered | undefined) {
  const [failed, setFailed] = useState<Problem>()
  const save = async (format: DownloadFormat) => {
    if (answered === undefined) return
    const { model, query } = answered
    setFailed(undefined)
    try {
      saveAs(await download({ model, query, format }), `${model.name}.${format}`)
    } catch (error) {
      setFailed(problemOfError(error))
    }
  }
  return { failed, save }
}
