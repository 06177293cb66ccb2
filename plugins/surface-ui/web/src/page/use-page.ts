import { useDisclosure } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Column } from '../api/read-arrow.js'
import { type Problem, problemOfError } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import type { ChartLook } from '../chart/chart-look.js'
import { type Dashboard, NEW_DASHBOARD, type SavedQuestion, shownAs, type Tile } from '../dashboard/dashboard.js'
import type { Addition } from '../edit/addition.js'
import { withClicked } from '../query/click-filter.js'
import { finished } from '../query/finished.js'
import type { Form } from '../query/forms.js'
import { fromHash, type Shared } from '../query/hash-state.js'
import { EMPTY, has, isEmpty, type Query } from '../query/query.js'
import { titleOf } from '../query/title-of.js'
import type { CellValue } from '../results/cell-of.js'
import type { LookedInto } from '../results/looked-into.js'
import { saveAs } from '../results/save-drawing.js'
import { addToHistory, keepDashboard, keptDashboard, readHistory, readToured } from '../state/kept.js'
import { useLiveCompile } from '../state/use-live-compile.js'
import { keyOf, useModels } from '../state/use-models.js'
import { useRun } from '../state/use-run.js'
import { useForm } from './use-form.js'

export type Page = ReturnType<typeof usePage>

/** That SQL is withheld is no fault of the question. Only the places that show SQL say so. */
const aboutQuestion = (problem: Problem | undefined): Problem | undefined =>
  problem?.code === 'SQL_WITHHELD' ? undefined : problem

/** What the page shows, and what changes it. */
export function usePage() {
  const start = useMemo(() => fromHash(location.hash), [])
  const models = useModels(start.model)
  const view = useViewOf(start)
  const overlays = useOverlays(start)
  const { model, schema, settings } = models
  const { query, form, dialects, look, setQuery, setForm } = view
  const canRun = settings?.execution_enabled ?? false
  const [history, setHistory] = useState(readHistory)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the settings say whose questions these are.
  useEffect(() => setHistory(readHistory()), [settings])
  const run = useRun((of, answered, answer) =>
    setHistory(addToHistory({ model: keyOf(of), query: answered, at: Date.now(), rows: answer.rowCount })),
  )
  const known = dialects.filter((dialect) => dialect === '' || models.dialects.includes(dialect))
  const asked = useMemo(() => finished(query), [query])
  const live = useLiveCompile(schema && model, asked, known)
  const asking = useAsking({ model, canRun, run, view })
  const boards = boardsOf(view, model)
  const question: SavedQuestion = { ...asSaved(form, asked), query: asked, ...(Object.keys(look).length > 0 && { chart: look }) }
  const chooseModel = (chosen: ModelRef) => {
    run.forget()
    setQuery(EMPTY)
    view.setLook({})
    view.setBoard(undefined)
    models.choose(chosen)
  }
  return {
    ...{ models, view, overlays, run, history, live, asked, canRun, question, chooseModel },
    ...asking,
    ...boards,
    problem: aboutQuestion(live.problems.get('')),
    stale: run.answered !== undefined && JSON.stringify(run.answered.query) !== JSON.stringify(asked),
    drills: (live.addable?.dimensions ?? []).filter((name) => !has(asked, 'dimension', name)),
    filter: ({ name }: Column, value: CellValue, only: boolean) =>
      setQuery(withClicked(query, { answered: run.answered?.query ?? query, name, value, only })),
    addToModel(addition: Addition) {
      view.setAddition(addition)
      setForm('model')
    },
    saveQuestion: () => saveQuestion(question, model?.name ?? ''),
    openFile: fileOpener({ models, view, open: asking.open, chooseModel }),
  }
}

type View = ReturnType<typeof useViewOf>

/** The question, and how it is shown. */
function useViewOf(start: Partial<Shared>) {
  const [query, setQuery] = useState<Query>(start.query ?? EMPTY)
  const form = useForm(start.tab ?? 'results')
  const [dialects, setDialects] = useState<readonly [string, string]>([
    start.dialects?.[0] ?? '',
    start.dialects?.[1] ?? 'postgres',
  ])
  const [look, setLook] = useState<ChartLook>(start.chart ?? {})
  const [shownBoard, setBoard] = useState<Dashboard | undefined>(start.dashboard)
  const [failed, setFailed] = useState<Problem>()
  const [addition, setAddition] = useState<Addition>()
  return {
    ...form,
    ...{ query, setQuery, dialects, setDialects, look, setLook },
    ...{ shownBoard, setBoard, failed, setFailed, addition, setAddition },
  }
}

/** What is open above the page. */
function useOverlays(start: Partial<Shared>) {
  const [isFieldsOpen, fields] = useDisclosure(false)
  const [isOpening, openModel] = useDisclosure(false)
  const [isFinding, palette] = useDisclosure(false)
  const [looked, setLooked] = useState<LookedInto>()
  // A visitor with a link sees its content first.
  const [isTouring, setTouring] = useState(() => start.query === undefined && !readToured())
  return { isFieldsOpen, fields, isOpening, openModel, isFinding, palette, looked, setLooked, isTouring, setTouring }
}

interface Asking {
  readonly model: ModelRef | undefined
  readonly canRun: boolean
  readonly run: ReturnType<typeof useRun>
  readonly view: View
}

function useAsking({ model, canRun, run, view: { setQuery, setForm, showResult, setLook } }: Asking) {
  const ask = useCallback(
    (wanted: Query) => {
      if (model === undefined || !canRun || isEmpty(wanted)) return
      showResult()
      run.start(model, finished(wanted))
    },
    [model, canRun, run.start, showResult],
  )
  const show = useCallback(
    (shown: Query) => {
      setQuery(shown)
      setLook({})
      ask(shown)
    },
    [ask, setQuery, setLook],
  )
  /** A link chooses the form. */
  const begin = useCallback(
    (shown: Query) => {
      setQuery(shown)
      if (model !== undefined && canRun && !isEmpty(shown)) run.start(model, finished(shown))
    },
    [model, canRun, run.start, setQuery],
  )
  const open = (opened: Query, { as, chart }: Pick<Tile, 'as' | 'chart'>) => {
    setQuery(opened)
    setLook(chart ?? {})
    setForm(as === 'chart' ? 'chart' : 'results')
    begin(opened)
  }
  return { ask, show, begin, open }
}

function boardsOf({ shownBoard, setBoard }: View, model: ModelRef | undefined) {
  const board = shownBoard ?? (model && keptDashboard(model.name)) ?? NEW_DASHBOARD
  const changeBoard = (next: Dashboard) => {
    setBoard(next)
    if (model !== undefined) keepDashboard(model.name, next)
  }
  return { board, changeBoard }
}

async function saveQuestion(question: SavedQuestion, model: string): Promise<void> {
  const { writeQuestion } = await import('../dashboard/dashboard-file.js')
  saveAs(new Blob([writeQuestion(question, model)], { type: 'application/yaml' }), `${question.title}.question.yaml`)
}

interface Opening {
  readonly models: ReturnType<typeof useModels>
  readonly view: View
  readonly open: (query: Query, tile: Pick<Tile, 'as' | 'chart'>) => void
  readonly chooseModel: (model: ModelRef) => void
}

/** Opens a question or a dashboard that was saved, with its model. */
function fileOpener({ models, view, open, chooseModel }: Opening) {
  return async (file: File): Promise<void> => {
    view.setFailed(undefined)
    try {
      const { readFileText } = await import('../dashboard/dashboard-file.js')
      const opened = readFileText(await file.text())
      const named = opened.kind === 'dashboard' ? opened.dashboard.model : opened.model
      const other = models.models.find(({ name }) => name === named)
      if (other && other.name !== models.model?.name) chooseModel(other)
      if (opened.kind === 'question') return open(opened.question.query, opened.question)
      view.setBoard(opened.dashboard)
      view.setForm('dashboard')
    } catch (error) {
      view.setFailed(problemOfError(error))
    }
  }
}

/** A title, and how it is shown. */
function asSaved(form: Form, query: Query): Pick<SavedQuestion, 'title' | 'as'> {
  return { title: titleOf(query), as: form === 'results' && shownAs(query) !== 'number' ? 'table' : shownAs(query) }
}
