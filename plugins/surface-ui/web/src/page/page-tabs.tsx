import { Tabs } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import type { ModelRef, Schema } from '../api/types.js'
import { type Form, PLACE_NAMES, PLACES, type Place, placeOf } from '../query/forms.js'
import { isEmpty } from '../query/query.js'
import { Results } from '../results/results.js'
import { keyOf } from '../state/use-models.js'
import type { Start } from '../state/use-starts.js'
import { FormSwitch } from './form-switch.js'
import type { Page } from './use-page.js'
import { Waiting } from './waiting.js'

const CodeExamples = lazy(() => import('../text/code-examples.js'))
const DashboardTab = lazy(() => import('../dashboard/dashboard-tab.js'))
const GraphTab = lazy(() => import('../graph/graph-tab.js'))
const ModelTab = lazy(() => import('../edit/model-tab.js'))
const PlanTab = lazy(() => import('../sql/plan-tab.js'))
const QueryTab = lazy(() => import('../text/query-tab.js'))
const SqlTab = lazy(() => import('../sql/sql-tab.js'))

interface Props {
  readonly page: Page
  readonly model: ModelRef
  readonly schema: Schema
  readonly starts: readonly Start[]
}

/** The result, how it was made, dashboards and the model: each is one place, with a switch of its forms. */
export function PageTabs(props: Props) {
  const { form, openPlace } = props.page.view
  const place = placeOf(form)
  return (
    <Tabs value={place} onChange={(chosen) => openPlace(chosen as Place)} className="tabs" data-tour="answer" keepMounted={false}>
      <Tabs.List>
        {PLACE_NAMES.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {PLACES[name].title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {PLACE_NAMES.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {name === place && <PlacePanel {...props} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function PlacePanel(props: Props) {
  const { form, setForm } = props.page.view
  const place = placeOf(form)
  const formSwitch = <FormSwitch form={form} onForm={setForm} />
  if (place === 'result') return <ResultPanel {...props} formSwitch={formSwitch} />
  return (
    <>
      <div className="form-bar">{formSwitch}</div>
      <Suspense fallback={<Waiting here />}>{BODIES[form]?.(props)}</Suspense>
    </>
  )
}

/** All but the forms of the result. */
const BODIES: Readonly<Partial<Record<Form, (props: Props) => ReactNode>>> = {
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
  query: ({ page: { view, problem }, model }) => <QueryTab {...{ problem, model }} query={view.query} onChange={view.setQuery} />,
  code: ({ page: { view, live, models }, model }) => (
    <CodeExamples
      model={model}
      query={view.query}
      needsKey={(models.settings?.auth_mode ?? 'none') !== 'none'}
      sql={live.compiled.get('')?.sql}
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

function ResultPanel(props: Props & { readonly formSwitch: ReactNode }) {
  const { page, schema, starts, formSwitch } = props
  const { run, view, canRun, show, drills, filter, overlays } = page
  return (
    <Results
      {...{ run, schema, drills, formSwitch }}
      form={view.form}
      starts={isEmpty(view.query) ? starts : []}
      onStart={show}
      empty={emptyText(canRun, isEmpty(view.query))}
      onFilter={filter}
      onLook={overlays.setLooked}
      look={view.look}
      onLookOfChart={view.setLook}
    />
  )
}

function emptyText(canRun: boolean, isNew: boolean): string {
  if (!canRun) return 'This server compiles queries without running them. The SQL is under How it was made.'
  return isNew ? 'Choose fields and run the query.' : 'Run the query to see its result.'
}
