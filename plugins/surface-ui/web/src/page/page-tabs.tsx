import { Tabs } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import type { ModelRef, Schema } from '../api/types.js'
import { TABS, type Tab } from '../query/hash-state.js'
import { isEmpty } from '../query/query.js'
import { Results } from '../results/results.js'
import { keyOf } from '../state/use-models.js'
import type { Start } from '../state/use-starts.js'
import type { Page } from './use-page.js'
import { Waiting } from './waiting.js'

const ChartTab = lazy(() => import('../chart/chart-tab.js'))
const ComparedTimes = lazy(() => import('../time/compared-times.js'))
const DashboardTab = lazy(() => import('../dashboard/dashboard-tab.js'))
const GraphTab = lazy(() => import('../graph/graph-tab.js'))
const ModelTab = lazy(() => import('../edit/model-tab.js'))
const PivotTab = lazy(() => import('../pivot/pivot-tab.js'))
const PlanTab = lazy(() => import('../sql/plan-tab.js'))
const SqlTab = lazy(() => import('../sql/sql-tab.js'))
const QueryTab = lazy(() => import('../text/query-tab.js'))

export const TITLES: Readonly<Record<Tab, string>> = {
  results: 'Results',
  chart: 'Chart',
  pivot: 'Pivot',
  dashboard: 'Dashboard',
  sql: 'SQL',
  query: 'Query',
  plan: 'Plan',
  graph: 'Graph',
  model: 'Model',
}

/** The tabs that show an answer. */
const ANSWERED: ReadonlySet<Tab> = new Set(['results', 'chart', 'pivot'])

interface Props {
  readonly page: Page
  readonly model: ModelRef
  readonly schema: Schema
  readonly starts: readonly Start[]
}

/** The answer and other views of the question and the model. */
export function PageTabs(props: Props) {
  const { view, run } = props.page
  const { tab, setTab } = view
  return (
    <Tabs value={tab} onChange={(chosen) => setTab(chosen as Tab)} className="tabs" data-tour="answer" keepMounted={false}>
      <Tabs.List>
        {TABS.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {TITLES[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {ANSWERED.has(tab) && (
        <Suspense fallback={null}>
          <ComparedTimes receipt={run.answered?.answer.receipt} />
        </Suspense>
      )}
      {TABS.map((name) => (
        <Tabs.Panel key={name} value={name} {...(name === 'plan' && { tabIndex: 0 })}>
          {name === tab && <Suspense fallback={<Waiting here />}>{PANELS[name](props)}</Suspense>}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

const PANELS: Readonly<Record<Tab, (props: Props) => ReactNode>> = {
  results: (props) => <ResultsPanel {...props} />,
  chart: ({ page: { run, view }, schema }) =>
    run.answered === undefined ? (
      <p className="nothing">Run the question to see it drawn.</p>
    ) : (
      <ChartTab {...run.answered} {...{ schema }} look={view.look} onLook={view.setLook} />
    ),
  pivot: ({ page: { run, overlays } }) =>
    run.answered === undefined ? (
      <p className="nothing">Run the question to see it as a pivot.</p>
    ) : (
      <PivotTab model={run.answered.model} query={run.answered.query} onLook={overlays.setLooked} />
    ),
  dashboard: ({ page: { canRun, question, board, changeBoard, openFile, open }, model, schema }) => (
    <DashboardTab
      key={keyOf(model)}
      {...{ model, schema, canRun, question }}
      dashboard={board}
      onChange={changeBoard}
      onOpenFile={(file) => void openFile(file)}
      onOpenQuestion={open}
    />
  ),
  sql: ({ page: { live, models, view } }) => (
    <SqlTab live={live} dialects={models.dialects} shown={view.dialects} onShow={view.setDialects} />
  ),
  query: ({ page: { view, problem, live, models }, model }) => (
    <QueryTab
      {...{ problem, model }}
      query={view.query}
      needsKey={(models.settings?.auth_mode ?? 'none') !== 'none'}
      sql={live.compiled.get('')?.sql}
      onChange={view.setQuery}
    />
  ),
  plan: ({ page: { live } }) => <PlanTab compiled={live.compiled.get('')} />,
  graph: ({ page: { live }, model, schema }) => (
    <GraphTab key={keyOf(model)} {...{ model, schema }} compiled={live.compiled.get('')} />
  ),
  model: ({ page: { canRun, models, view, run }, model }) => (
    <ModelTab
      key={keyOf(model)}
      {...{ model, canRun }}
      curated={models.settings?.curated ?? true}
      addition={view.addition}
      onWritten={() => view.setAddition(undefined)}
      onLoad={async (yaml) => {
        await models.open(yaml)
        run.forget()
      }}
    />
  ),
}

function ResultsPanel({ page: { run, view, canRun, show, drills, filter, overlays }, starts }: Props) {
  return (
    <Results
      run={run}
      starts={isEmpty(view.query) ? starts : []}
      onStart={show}
      drills={drills}
      empty={canRun ? 'Choose fields and run the question.' : 'The SQL tab shows what the question becomes.'}
      onFilter={filter}
      onLook={overlays.setLooked}
    />
  )
}
