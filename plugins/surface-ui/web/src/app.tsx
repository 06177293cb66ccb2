import { Button, Drawer, Loader, Tabs } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Column } from './api/read-arrow.js'
import { type Problem, problemOfError } from './api/request.js'
import type { ModelRef } from './api/types.js'
import type { ChartLook } from './chart/chart-look.js'
import { type Dashboard, NEW_DASHBOARD, type SavedQuestion, shownAs, type Tile } from './dashboard/dashboard.js'
import { FieldsPanel } from './explore/fields-panel.js'
import { QueryBar } from './explore/query-bar.js'
import type { Comparison } from './model/fields.js'
import { withClicked } from './query/click-filter.js'
import { finished } from './query/finished.js'
import { fromHash, type Shared, TABS, type Tab, toHash } from './query/hash-state.js'
import { EMPTY, has, isEmpty, type Query } from './query/query.js'
import { titleOf } from './query/title-of.js'
import type { CellValue } from './results/cell-of.js'
import { Results } from './results/results.js'
import type { LookedInto } from './results/rows-drawer.js'
import { saveAs } from './results/save-drawing.js'
import { copyText } from './shell/copy-text.js'
import { Header } from './shell/header.js'
import { ProblemNotice } from './shell/problem-notice.js'
import { SavedMenu } from './shell/saved-menu.js'
import { addToHistory, keepDashboard, keptDashboard, readHistory, readToured, writeToured } from './state/kept.js'
import { useLiveCompile } from './state/use-live-compile.js'
import { keyOf, useModels } from './state/use-models.js'
import { useRun } from './state/use-run.js'
import { type Start, useStarts } from './state/use-starts.js'
import { ComparedTimes } from './time/compared-times.js'

const ChartTab = lazy(() => import('./chart/chart-tab.js'))
const DashboardTab = lazy(() => import('./dashboard/dashboard-tab.js'))
const GraphTab = lazy(() => import('./graph/graph-tab.js'))
const ModelTab = lazy(() => import('./edit/model-tab.js'))
const PivotTab = lazy(() => import('./pivot/pivot-tab.js'))
const RowsDrawer = lazy(() => import('./results/rows-drawer.js'))
const OpenModel = lazy(() => import('./shell/open-model.js'))
const PagePalette = lazy(() => import('./shell/page-palette.js'))
const PlanTab = lazy(() => import('./sql/plan-tab.js'))
const SqlTab = lazy(() => import('./sql/sql-tab.js'))
const Tour = lazy(() => import('./shell/tour.js'))
const QueryTab = lazy(() => import('./text/query-tab.js'))
const TITLES: Readonly<Record<Tab, string>> = {
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

export function App() {
  const start = useMemo(() => fromHash(location.hash), [])
  const models = useModels(start.model)
  const { model, schema, settings } = models
  const [query, setQuery] = useState<Query>(start.query ?? EMPTY)
  const [tab, setTab] = useState<Tab>(start.tab ?? 'results')
  const [dialects, setDialects] = useState<readonly [string, string]>([
    start.dialects?.[0] ?? '',
    start.dialects?.[1] ?? 'postgres',
  ])
  const [look, setLook] = useState<ChartLook>(start.chart ?? {})
  const [shownBoard, setBoard] = useState<Dashboard | undefined>(start.dashboard)
  const [failed, setFailed] = useState<Problem>()
  const [history, setHistory] = useState(readHistory)
  const [fieldsOpen, fields] = useDisclosure(false)
  const [opening, openModel] = useDisclosure(false)
  const [looked, setLooked] = useState<LookedInto>()
  const [comparison, setComparison] = useState<Comparison>()
  const [finding, palette] = useDisclosure(false)
  // A visitor with a link sees its content first.
  const [touring, setTouring] = useState(() => start.query === undefined && !readToured())
  const canRun = settings?.execution_enabled ?? false
  const run = useRun((of, answered, answer) =>
    setHistory(addToHistory({ model: keyOf(of), query: answered, at: Date.now(), rows: answer.rowCount })),
  )
  const known = dialects.filter((dialect) => dialect === '' || models.dialects.includes(dialect))
  const asked = useMemo(() => finished(query), [query])
  const live = useLiveCompile(schema && model, asked, known)
  const problem = live.problems.get('')
  const ask = useCallback(
    (wanted: Query) => {
      if (model === undefined || !canRun || isEmpty(wanted)) return
      setTab((now) => (now === 'query' || now === 'chart' || now === 'pivot' || now === 'model' ? now : 'results'))
      run.start(model, finished(wanted))
    },
    [model, canRun, run.start],
  )
  const show = useCallback(
    (shown: Query) => {
      setQuery(shown)
      setLook({})
      ask(shown)
    },
    [ask],
  )
  /** A link chooses the tab. */
  const begin = useCallback(
    (shown: Query) => {
      setQuery(shown)
      if (model !== undefined && canRun && !isEmpty(shown)) run.start(model, finished(shown))
    },
    [model, canRun, run.start],
  )

  const board = shownBoard ?? (model && keptDashboard(model.name)) ?? NEW_DASHBOARD
  const changeBoard = (next: Dashboard) => {
    setBoard(next)
    if (model !== undefined) keepDashboard(model.name, next)
  }
  const question: SavedQuestion = { ...asSaved(tab, asked), query: asked, ...(Object.keys(look).length > 0 && { chart: look }) }
  const saveQuestion = async () => {
    const { writeQuestion } = await import('./dashboard/dashboard-file.js')
    saveAs(
      new Blob([writeQuestion(question, model?.name ?? '')], { type: 'application/yaml' }),
      `${question.title}.question.yaml`,
    )
  }
  const openQuestion = (opened: Query, { as, chart }: Pick<Tile, 'as' | 'chart'>) => {
    setQuery(opened)
    setLook(chart ?? {})
    setTab(as === 'chart' ? 'chart' : 'results')
    begin(opened)
  }
  const openFile = async (file: File) => {
    setFailed(undefined)
    try {
      const { readFileText } = await import('./dashboard/dashboard-file.js')
      const opened = readFileText(await file.text())
      const named = opened.kind === 'dashboard' ? opened.dashboard.model : opened.model
      const other = models.models.find(({ name }) => name === named)
      if (other && other.name !== model?.name) chooseModel(other)
      if (opened.kind === 'question') return openQuestion(opened.question.query, opened.question)
      setBoard(opened.dashboard)
      setTab('dashboard')
    } catch (error) {
      setFailed(problemOfError(error))
    }
  }
  const chart = Object.keys(look).length > 0 && { chart: look }
  useAddress(
    { model: model && keyOf(model), query, tab, dialects, ...chart, ...(tab === 'dashboard' && { dashboard: board }) },
    linkFollower({ models, begin, setQuery, setTab, setLook, setBoard }),
  )
  const starts = useStarts(model, schema)
  useFirstAnswer({ model, starts: settings && starts, query, isBoard: tab === 'dashboard', show: begin })
  useHotkeys(
    [
      ['mod+Enter', () => ask(query)],
      ['mod+K', palette.open],
    ],
    [],
  )
  const actions = [
    ...(canRun ? [{ title: 'Run', kind: 'the question', act: () => ask(query) }] : []),
    ...TABS.map((name) => ({ title: TITLES[name], kind: 'show the tab', act: () => setTab(name) })),
    { title: 'Clear', kind: 'the question', act: () => setQuery(EMPTY) },
    ...(settings?.curated === false ? [{ title: 'Open a model', kind: 'of your own', act: openModel.open }] : []),
    { title: 'Copy link', kind: 'to this question', act: () => void copyText(location.href) },
    { title: 'Tour', kind: 'three steps', act: () => setTouring(true) },
  ]

  const writeComparison = (wanted: Comparison) => {
    setComparison(wanted)
    setTab('model')
  }
  const onFilter = ({ name }: Column, value: CellValue, only: boolean) =>
    setQuery(withClicked(query, { answered: run.answered?.query ?? query, name, value, only }))
  useRevival(model, [models.problem, problem, run.problem], models.revive)
  const chooseModel = (chosen: ModelRef) => {
    run.forget()
    setQuery(EMPTY)
    setLook({})
    setBoard(undefined)
    models.choose(chosen)
  }
  const drills = (live.addable?.dimensions ?? []).filter((name) => !has(asked, 'dimension', name))
  const stale = run.answered !== undefined && JSON.stringify(run.answered.query) !== JSON.stringify(asked)
  const panel = schema && model && (
    <FieldsPanel key={keyOf(model)} {...{ model, schema, query }} addable={live.addable} onChange={setQuery} />
  )

  return (
    <div className="app">
      <Header
        models={models.models}
        {...{ model, history }}
        curated={settings?.curated ?? true}
        onModel={chooseModel}
        onCommands={palette.open}
        onQuery={show}
        onOpenModel={openModel.open}
        onFields={fields.open}
        starts={starts ?? []}
      >
        <SavedMenu
          canSave={!isEmpty(asked)}
          onAdd={() => {
            changeBoard({ ...board, tiles: [...board.tiles, question] })
            setTab('dashboard')
          }}
          onSave={() => void saveQuestion()}
          onOpen={(file) => void openFile(file)}
        />
      </Header>
      {opening && (
        <Suspense>
          <OpenModel
            onClose={openModel.close}
            onOpen={async (yaml) => {
              await models.open(yaml)
              run.forget()
              setQuery(EMPTY)
            }}
          />
        </Suspense>
      )}
      {looked !== undefined && (
        <Suspense>
          <RowsDrawer looked={looked} onClose={() => setLooked(undefined)} />
        </Suspense>
      )}
      {finding && (
        <Suspense>
          <PagePalette
            {...{ schema, query, actions }}
            models={models.models}
            history={history.filter((each) => model !== undefined && each.model === keyOf(model))}
            onChange={setQuery}
            onQuery={show}
            onModel={chooseModel}
            onClose={palette.close}
          />
        </Suspense>
      )}
      {touring && schema !== undefined && (
        <Suspense>
          <Tour
            onEnd={() => {
              writeToured()
              setTouring(false)
            }}
          />
        </Suspense>
      )}
      {failed !== undefined && <ProblemNotice problem={failed} />}
      {models.problem !== undefined && <ProblemNotice problem={models.problem} retry={models.retry} />}
      <div className={tab === 'dashboard' ? 'columns board' : 'columns'}>
        <aside className="side only-wide" data-tour="fields">
          {panel ?? <Waiting here={models.problem === undefined && model !== undefined} />}
        </aside>
        <Drawer
          opened={fieldsOpen}
          onClose={fields.close}
          title="Fields"
          size="min(92vw, 380px)"
          closeButtonProps={{ 'aria-label': 'Close' }}
          classNames={{ body: 'drawer-body' }}
        >
          {panel}
        </Drawer>
        <main className="main">
          {schema && model ? (
            <>
              {tab !== 'dashboard' && (
                <QueryBar
                  {...{ model, schema, query, canRun, stale }}
                  fitting={live.addable?.dimensions}
                  onChange={setQuery}
                  running={run.running}
                  defaultLimit={settings?.query_default_limit ?? 1000}
                  onRun={() => ask(query)}
                  onCancel={run.cancel}
                  onCompare={settings?.curated === false ? writeComparison : undefined}
                />
              )}
              {problem !== undefined && tab !== 'sql' && tab !== 'dashboard' && <ProblemNotice problem={problem} />}
              <Tabs
                value={tab}
                onChange={(chosen) => setTab(chosen as Tab)}
                className="tabs"
                data-tour="answer"
                keepMounted={false}
              >
                <Tabs.List>
                  {TABS.map((name) => (
                    <Tabs.Tab key={name} value={name}>
                      {TITLES[name]}
                    </Tabs.Tab>
                  ))}
                </Tabs.List>
                {ANSWERED.has(tab) && <ComparedTimes receipt={run.answered?.answer.receipt} />}
                <Tabs.Panel value="results">
                  <Results
                    run={run}
                    starts={isEmpty(query) ? (starts ?? []) : []}
                    onStart={show}
                    drills={drills}
                    empty={canRun ? 'Choose fields and run the question.' : 'The SQL tab shows what the question becomes.'}
                    onFilter={onFilter}
                    onLook={setLooked}
                  />
                </Tabs.Panel>
                <Tabs.Panel value="chart">
                  {run.answered === undefined ? (
                    <p className="nothing">Run the question to see it drawn.</p>
                  ) : (
                    <Suspense fallback={<Waiting here />}>
                      <ChartTab {...run.answered} {...{ schema, look }} onLook={setLook} />
                    </Suspense>
                  )}
                </Tabs.Panel>
                <Tabs.Panel value="pivot">
                  {run.answered === undefined ? (
                    <p className="nothing">Run the question to see it as a pivot.</p>
                  ) : (
                    <Suspense fallback={<Waiting here />}>
                      <PivotTab model={run.answered.model} query={run.answered.query} onLook={setLooked} />
                    </Suspense>
                  )}
                </Tabs.Panel>
                <Tabs.Panel value="dashboard">
                  <Suspense fallback={<Waiting here />}>
                    <DashboardTab
                      key={keyOf(model)}
                      {...{ model, schema, canRun, question }}
                      dashboard={board}
                      onChange={changeBoard}
                      onOpenFile={(file) => void openFile(file)}
                      onOpenQuestion={openQuestion}
                    />
                  </Suspense>
                </Tabs.Panel>
                <Tabs.Panel value="sql">
                  <Suspense fallback={<Waiting here />}>
                    <SqlTab live={live} dialects={models.dialects} shown={dialects} onShow={setDialects} />
                  </Suspense>
                </Tabs.Panel>
                <Tabs.Panel value="query">
                  <Suspense fallback={<Waiting here />}>
                    <QueryTab
                      {...{ query, problem, model }}
                      needsKey={(settings?.auth_mode ?? 'none') !== 'none'}
                      sql={live.compiled.get('')?.sql}
                      onChange={setQuery}
                    />
                  </Suspense>
                </Tabs.Panel>
                <Tabs.Panel value="plan" tabIndex={0}>
                  <Suspense fallback={<Waiting here />}>
                    <PlanTab compiled={live.compiled.get('')} />
                  </Suspense>
                </Tabs.Panel>
                <Tabs.Panel value="graph">
                  <Suspense fallback={<Waiting here />}>
                    <GraphTab key={keyOf(model)} {...{ model, schema }} compiled={live.compiled.get('')} />
                  </Suspense>
                </Tabs.Panel>
                <Tabs.Panel value="model">
                  <Suspense fallback={<Waiting here />}>
                    <ModelTab
                      key={keyOf(model)}
                      {...{ model, canRun }}
                      curated={settings?.curated ?? true}
                      comparison={comparison}
                      onWritten={() => setComparison(undefined)}
                      onLoad={async (yaml) => {
                        await models.open(yaml)
                        run.forget()
                      }}
                    />
                  </Suspense>
                </Tabs.Panel>
              </Tabs>
            </>
          ) : (
            settings !== undefined && models.models.length === 0 && <NoModel curated={settings.curated} onOpen={openModel.open} />
          )}
        </main>
      </div>
    </div>
  )
}

const Waiting = ({ here }: { readonly here: boolean }) => (here ? <Loader size="sm" m="md" aria-label="Loading" /> : null)

function NoModel({ curated, onOpen }: { readonly curated: boolean; readonly onOpen: () => void }) {
  return (
    <div className="nothing">
      <h2>This server publishes no model</h2>
      <p>
        {curated ? 'Ask its operator to list one in MODEL_FILES.' : 'Open one of your own, or start the server with MODEL_FILES.'}
      </p>
      {!curated && <Button onClick={onOpen}>Open a model</Button>}
    </div>
  )
}

interface Followed {
  readonly models: ReturnType<typeof useModels>
  readonly begin: (query: Query) => void
  readonly setQuery: (query: Query) => void
  readonly setTab: (tab: Tab) => void
  readonly setLook: (look: ChartLook) => void
  readonly setBoard: (board: Dashboard) => void
}

/** A link that is opened on the page shows its view, with its answer. */
function linkFollower({ models, begin, setQuery, setTab, setLook, setBoard }: Followed) {
  return ({ model, query, tab, chart = {}, dashboard }: Shared) => {
    const named = models.models.find((each) => keyOf(each) === model)
    const isOther = named !== undefined && named !== models.model
    if (isOther) models.choose(named)
    if (tab) setTab(tab)
    // Another model answers once it is there, as on a first visit.
    if (query) isOther ? setQuery(query) : begin(query)
    setLook(chart)
    if (dashboard) setBoard(dashboard)
  }
}

/** Keeps the address up to date, and follows a change of the address by the user. */
function useAddress(shared: Shared, onShared: (shared: Shared) => void): void {
  const hash = shared.model === undefined ? undefined : toHash(shared)
  const follow = useRef(onShared)
  follow.current = onShared
  useEffect(() => {
    // Relative to the page, because its base may be another path.
    if (hash !== undefined && hash !== location.hash) history.replaceState(null, '', location.pathname + location.search + hash)
  }, [hash])
  useEffect(() => {
    // The address that the event is about: a key pressed before it may have put the former view into the address again.
    const onChange = ({ newURL }: HashChangeEvent) => follow.current(fromHash(new URL(newURL).hash))
    addEventListener('hashchange', onChange)
    return () => removeEventListener('hashchange', onChange)
  }, [])
}

interface FirstAnswer {
  readonly model: ModelRef | undefined
  readonly starts: readonly Start[] | undefined
  readonly query: Query
  readonly isBoard: boolean
  readonly show: (query: Query) => void
}

/** A visit starts with an answer: that of the link, else of the first example of the model. */
function useFirstAnswer({ model, starts, query, isBoard, show }: FirstAnswer): void {
  const done = useRef<string>(undefined)
  const current = useRef(query)
  current.current = query
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each model, with the query at that time.
  useEffect(() => {
    if (model === undefined || starts === undefined || done.current === keyOf(model)) return
    done.current = keyOf(model)
    if (!isEmpty(query)) return show(query)
    const [first] = starts
    if (first?.isExample !== true || isBoard) return
    // What a person has begun meanwhile stays.
    first.load().then(
      (example) => isEmpty(current.current) && show(example),
      () => undefined,
    )
  }, [model, starts])
}

/** A title, and how it is shown. */
function asSaved(tab: Tab, query: Query): Pick<SavedQuestion, 'title' | 'as'> {
  return { title: titleOf(query), as: tab === 'results' && shownAs(query) !== 'number' ? 'table' : shownAs(query) }
}

/** A model of this tab outlives its session: if the server no longer has it, it is loaded again and the query continues. */
function useRevival(
  model: ModelRef | undefined,
  problems: readonly (Problem | undefined)[],
  revive: (model: ModelRef) => void,
): void {
  const isGone = problems.some((each) => each?.code === 'SESSION_NOT_FOUND' || each?.code === 'MODEL_NOT_FOUND')
  const tried = useRef<string>(undefined)
  useEffect(() => {
    if (!isGone || !model?.own || tried.current === keyOf(model)) return
    tried.current = keyOf(model)
    revive(model)
  }, [isGone, model, revive])
}
