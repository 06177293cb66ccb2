import { Button, Drawer } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef } from 'react'
import type { Problem } from './api/request.js'
import type { ModelRef } from './api/types.js'
import type { ChartLook } from './chart/chart-look.js'
import type { Dashboard } from './dashboard/dashboard.js'
import { FieldsPanel } from './explore/fields-panel.js'
import { QueryBar } from './explore/query-bar.js'
import { PageTabs } from './page/page-tabs.js'
import { type Page, usePage } from './page/use-page.js'
import { Waiting } from './page/waiting.js'
import { FORM_TITLES, type Form, formsOf, PLACE_NAMES, PLACES } from './query/forms.js'
import { fromHash, type Shared, toHash } from './query/hash-state.js'
import { EMPTY, isEmpty, type Query } from './query/query.js'
import { copyText } from './shell/copy-text.js'
import { Header } from './shell/header.js'
import { ProblemNotice } from './shell/problem-notice.js'
import { SavedMenu } from './shell/saved-menu.js'
import { writeToured } from './state/kept.js'
import { keyOf, type useModels } from './state/use-models.js'
import { type Start, useStarts } from './state/use-starts.js'

const RowsDrawer = lazy(() => import('./results/rows-drawer.js'))
const OpenModel = lazy(() => import('./shell/open-model.js'))
const PagePalette = lazy(() => import('./shell/page-palette.js'))
const Tour = lazy(() => import('./shell/tour.js'))

export function App() {
  const page = usePage()
  const { models, view, overlays, run, problem, ask, begin, board } = page
  const { model, schema, settings } = models
  const { query, form, dialects, look } = view
  const chart = Object.keys(look).length > 0 && { chart: look }
  useAddress(
    { model: model && keyOf(model), query, tab: form, dialects, ...chart, ...(form === 'dashboard' && { dashboard: board }) },
    linkFollower({ models, begin, ...view }),
  )
  const starts = useStarts(model, schema)
  useFirstAnswer({ model, starts: settings && starts, query, isBoard: form === 'dashboard', show: begin })
  useHotkeys(
    [
      ['mod+Enter', () => ask(query)],
      ['mod+K', overlays.palette.open],
    ],
    [],
  )
  useRevival(model, [models.problem, problem, run.problem], models.revive)
  const panel = schema && model && (
    <FieldsPanel key={keyOf(model)} {...{ model, schema, query }} addable={page.live.addable} onChange={view.setQuery} />
  )
  return (
    <div className="app">
      <PageHeader page={page} starts={starts ?? []} />
      <Overlays page={page} />
      {view.failed !== undefined && <ProblemNotice problem={view.failed} />}
      {models.problem !== undefined && <ProblemNotice problem={models.problem} retry={models.retry} />}
      <div className={form === 'dashboard' ? 'columns board' : 'columns'}>
        <aside className="side only-wide" data-tour="fields">
          {panel ?? <Waiting here={models.problem === undefined && model !== undefined} />}
        </aside>
        <Drawer
          opened={overlays.isFieldsOpen}
          onClose={overlays.fields.close}
          title="Fields"
          size="min(92vw, 380px)"
          closeButtonProps={{ 'aria-label': 'Close' }}
          classNames={{ body: 'drawer-body' }}
        >
          {panel}
        </Drawer>
        <main className="main">
          <Main page={page} starts={starts ?? []} />
        </main>
      </div>
    </div>
  )
}

interface Props {
  readonly page: Page
  readonly starts: readonly Start[]
}

function PageHeader({ page, starts }: Props) {
  const { models, view, overlays, history, asked, question, board, changeBoard, show, chooseModel } = page
  return (
    <Header
      models={models.models}
      {...{ history, starts }}
      model={models.model}
      curated={models.settings?.curated ?? true}
      who={models.settings?.principal}
      onModel={chooseModel}
      onCommands={overlays.palette.open}
      onQuery={show}
      onOpenModel={overlays.openModel.open}
      onFields={overlays.fields.open}
    >
      <SavedMenu
        canSave={!isEmpty(asked)}
        onAdd={() => {
          changeBoard({ ...board, tiles: [...board.tiles, question] })
          view.setForm('dashboard')
        }}
        onSave={() => void page.saveQuestion()}
        onExample={() => page.addToModel({ kind: 'example', example: { name: question.title, query: question.query } })}
        onOpen={(file) => void page.openFile(file)}
      />
    </Header>
  )
}

/** The question with its answer, or why there is none. */
function Main({ page, starts }: Props) {
  const { models, view, overlays, run, problem, canRun, stale, live, ask } = page
  const { model, schema, settings } = models
  const { query, form } = view
  if (!schema || !model)
    return settings !== undefined && models.models.length === 0 ? (
      <NoModel curated={settings.curated} onOpen={overlays.openModel.open} />
    ) : null
  return (
    <>
      {form !== 'dashboard' && (
        <QueryBar
          {...{ model, schema, query, canRun, stale }}
          fitting={live.addable?.dimensions}
          onChange={view.setQuery}
          running={run.running}
          defaultLimit={settings?.query_default_limit ?? 1000}
          onRun={() => ask(query)}
          onCancel={run.cancel}
          canLoad={settings?.curated === false}
          onAddToModel={page.addToModel}
        />
      )}
      {problem !== undefined && form !== 'sql' && form !== 'dashboard' && <ProblemNotice problem={problem} />}
      <PageTabs {...{ page, model, schema, starts }} />
    </>
  )
}

function Overlays({ page }: Pick<Props, 'page'>) {
  const { models, view, overlays, run, history, show, chooseModel } = page
  const { model, schema } = models
  return (
    <>
      {overlays.isOpening && (
        <Suspense>
          <OpenModel
            onClose={overlays.openModel.close}
            onOpen={async (yaml) => {
              await models.open(yaml)
              run.forget()
              view.setQuery(EMPTY)
            }}
          />
        </Suspense>
      )}
      {overlays.looked !== undefined && (
        <Suspense>
          <RowsDrawer looked={overlays.looked} onClose={() => overlays.setLooked(undefined)} />
        </Suspense>
      )}
      {overlays.isFinding && (
        <Suspense>
          <PagePalette
            {...{ schema }}
            query={view.query}
            actions={actionsOf(page)}
            models={models.models}
            history={history.filter((each) => model !== undefined && each.model === keyOf(model))}
            onChange={view.setQuery}
            onQuery={show}
            onModel={chooseModel}
            onClose={overlays.palette.close}
          />
        </Suspense>
      )}
      {overlays.isTouring && schema !== undefined && (
        <Suspense>
          <Tour
            onEnd={() => {
              writeToured()
              overlays.setTouring(false)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** The actions that the palette offers. */
const actionsOf = ({ canRun, ask, view, models, overlays }: Page) => [
  ...(canRun ? [{ title: 'Run', kind: 'the question', act: () => ask(view.query) }] : []),
  ...PLACE_NAMES.flatMap((place) =>
    formsOf(place).map((form) => ({
      title: FORM_TITLES[form],
      kind: `show: ${PLACES[place].title}`,
      act: () => view.setForm(form),
    })),
  ),
  { title: 'Clear', kind: 'the question', act: () => view.setQuery(EMPTY) },
  ...(models.settings?.curated === false ? [{ title: 'Open a model', kind: 'of your own', act: overlays.openModel.open }] : []),
  { title: 'Copy link', kind: 'to this question', act: () => void copyText(location.href) },
  { title: 'Tour', kind: 'three steps', act: () => overlays.setTouring(true) },
]

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
  readonly setForm: (form: Form) => void
  readonly setLook: (look: ChartLook) => void
  readonly setBoard: (board: Dashboard) => void
}

/** A link that is opened on the page shows its view, with its answer. */
function linkFollower({ models, begin, setQuery, setForm, setLook, setBoard }: Followed) {
  return ({ model, query, tab, chart = {}, dashboard }: Shared) => {
    const named = models.models.find((each) => keyOf(each) === model)
    const isOther = named !== undefined && named !== models.model
    if (isOther) models.choose(named)
    if (tab) setForm(tab)
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
