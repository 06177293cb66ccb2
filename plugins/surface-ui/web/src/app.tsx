import { Button, Drawer, Loader, Tabs } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { readExample, readExamples } from './api/grainline.js'
import type { Column } from './api/read-arrow.js'
import type { Problem } from './api/request.js'
import type { ModelRef } from './api/types.js'
import { FieldsPanel } from './explore/fields-panel.js'
import { QueryBar } from './explore/query-bar.js'
import type { Comparison } from './model/fields.js'
import { withClicked } from './query/click-filter.js'
import { fromHash, type Shared, TABS, type Tab, toHash } from './query/hash-state.js'
import { EMPTY, isEmpty, type Query } from './query/query.js'
import type { CellValue } from './results/cell-of.js'
import { Results } from './results/results.js'
import type { LookedInto } from './results/rows-drawer.js'
import { copyText } from './shell/copy-text.js'
import { Header } from './shell/header.js'
import { ProblemNotice } from './shell/problem-notice.js'
import { addToHistory, readHistory, readToured, writeToured } from './state/kept.js'
import { useLiveCompile } from './state/use-live-compile.js'
import { keyOf, useModels } from './state/use-models.js'
import { useRun } from './state/use-run.js'

const ChartTab = lazy(() => import('./chart/chart-tab.js'))
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
  sql: 'SQL',
  query: 'Query',
  plan: 'Plan',
  graph: 'Graph',
  model: 'Model',
}

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
  const [history, setHistory] = useState(readHistory)
  const [fieldsOpen, fields] = useDisclosure(false)
  const [opening, openModel] = useDisclosure(false)
  const [looked, setLooked] = useState<LookedInto>()
  const [comparison, setComparison] = useState<Comparison>()
  const [finding, palette] = useDisclosure(false)
  // A visitor with a link sees its content first.
  const [touring, setTouring] = useState(() => start.query === undefined && !readToured())
  const canRun = settings?.execution_enabled ?? false

  const run = useRun((of, asked, answer) =>
    setHistory(addToHistory({ model: keyOf(of), query: asked, at: Date.now(), rows: answer.rowCount })),
  )
  const known = dialects.filter((dialect) => dialect === '' || models.dialects.includes(dialect))
  const live = useLiveCompile(schema && model, query, known)
  const problem = live.problems.get('')
  const ask = useCallback(
    (asked: Query) => {
      if (model === undefined || !canRun || isEmpty(asked)) return
      setTab((now) => (now === 'query' || now === 'chart' || now === 'pivot' || now === 'model' ? now : 'results'))
      run.start(model, asked)
    },
    [model, canRun, run.start],
  )
  const show = useCallback(
    (shown: Query) => {
      setQuery(shown)
      ask(shown)
    },
    [ask],
  )
  /** A link chooses the tab. */
  const begin = useCallback(
    (shown: Query) => {
      setQuery(shown)
      if (model !== undefined && canRun && !isEmpty(shown)) run.start(model, shown)
    },
    [model, canRun, run.start],
  )

  useAddress({ model: model && keyOf(model), query, tab, dialects }, (shared) => {
    const named = models.models.find((each) => keyOf(each) === shared.model)
    if (named && named !== model) models.choose(named)
    if (shared.tab) setTab(shared.tab)
    if (shared.query) setQuery(shared.query)
  })
  useFirstAnswer({ model, ready: schema !== undefined && settings !== undefined, query, show: begin })
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
    models.choose(chosen)
  }
  const stale = run.answered !== undefined && JSON.stringify(run.answered.query) !== JSON.stringify(query)
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
      />
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
      {models.problem !== undefined && <ProblemNotice problem={models.problem} retry={models.retry} />}
      <div className="columns">
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
              <QueryBar
                {...{ model, schema, query, canRun, stale }}
                onChange={setQuery}
                running={run.running}
                defaultLimit={settings?.query_default_limit ?? 1000}
                onRun={() => ask(query)}
                onCancel={run.cancel}
                onCompare={settings?.curated === false ? writeComparison : undefined}
              />
              {problem !== undefined && tab !== 'sql' && <ProblemNotice problem={problem} />}
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
                <Tabs.Panel value="results">
                  <Results
                    run={run}
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
                      <ChartTab answer={run.answered.answer} name={run.answered.model.name} />
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
                <Tabs.Panel value="sql">
                  <Suspense fallback={<Waiting here />}>
                    <SqlTab live={live} dialects={models.dialects} shown={dialects} onShow={setDialects} />
                  </Suspense>
                </Tabs.Panel>
                <Tabs.Panel value="query">
                  <Suspense fallback={<Waiting here />}>
                    <QueryTab {...{ query, problem, model }} onChange={setQuery} />
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
    const onChange = () => follow.current(fromHash(location.hash))
    addEventListener('hashchange', onChange)
    return () => removeEventListener('hashchange', onChange)
  }, [])
}

interface FirstAnswer {
  readonly model: ModelRef | undefined
  readonly ready: boolean
  readonly query: Query
  readonly show: (query: Query) => void
}

/** A visit starts with an answer: that of the link, else of the first example of the model. */
function useFirstAnswer({ model, ready, query, show }: FirstAnswer): void {
  const done = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each model, with the query at that time.
  useEffect(() => {
    if (model === undefined || !ready || done.current === keyOf(model)) return
    done.current = keyOf(model)
    if (!isEmpty(query)) return show(query)
    firstExample(model)
      .then((example) => example && show(example))
      .catch(() => undefined)
  }, [model, ready])
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

async function firstExample(model: ModelRef): Promise<Query | undefined> {
  const [first] = await readExamples(model)
  return first && (await readExample(model, first.name)).query
}
