import { Button, Kbd, Select, TextInput } from '@mantine/core'
import { IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react'
import { lazy, Suspense, useMemo } from 'react'
import type { ModelRef, Schema } from '../api/types.js'
import type { Addition } from '../edit/addition.js'
import { fieldsOf } from '../model/fields.js'
import { ownMeasuresBehind, ownMeasuresOf, withOwnMeasure, withoutUnread } from '../query/own-measures.js'
import { dimensionsOf, EMPTY, isEmpty, measuresOf, nameOf, type Query, withGrouping, withLimit } from '../query/query.js'
import { FilterShelf } from './filter-shelf.js'
import { Shelf } from './shelf.js'
import { TopControl } from './top-control.js'

const TimeControl = lazy(() => import('../time/time-control.js'))
const NewMeasure = lazy(() => import('./new-measure.js'))

interface Props {
  readonly model: ModelRef
  readonly schema: Schema
  readonly query: Query
  /** The dimensions that fit; absent until they are known. */
  readonly fitting: readonly string[] | undefined
  readonly onChange: (query: Query) => void
  readonly canRun: boolean
  readonly running: boolean
  /** True if the answer below belongs to another query. */
  readonly stale: boolean
  readonly defaultLimit: number
  readonly onRun: () => void
  readonly onCancel: () => void
  /** Models can be loaded here; drafts can be made everywhere. */
  readonly canLoad: boolean
  readonly onAddToModel: (addition: Addition) => void
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const SUBTOTALS = [
  { value: 'none', label: 'No subtotals' },
  { value: 'rollup', label: 'Subtotals' },
  { value: 'cube', label: 'All subtotals' },
]

/** The query: its dimensions, measures, filters and limit. */
export function QueryBar({
  model,
  schema,
  query,
  fitting,
  onChange,
  canRun,
  running,
  stale,
  defaultLimit,
  onRun,
  onCancel,
  canLoad,
  onAddToModel,
}: Props) {
  const fields = useMemo(() => fieldsOf(schema), [schema])
  const dimensions = useMemo(
    () => new Map(fields.filter(({ kind }) => kind === 'dimension').map((each) => [each.name, each])),
    [fields],
  )
  const measures = useMemo(
    () => new Map(fields.filter(({ kind }) => kind !== 'dimension').map((each) => [each.name, each])),
    [fields],
  )
  const fits = useMemo(() => fitting && new Set(fitting), [fitting])
  const time =
    dimensionsOf(query)
      .map(nameOf)
      .find((name) => dimensions.get(name)?.isTime) ?? fields.find(({ isTime }) => isTime)?.name
  const own = ownMeasuresOf(query).map(({ as }) => as)
  const taken = useMemo(() => new Set(fields.map(({ name }) => name.toLowerCase())), [fields])
  return (
    <section className="query-bar" aria-label="The question" data-tour="question">
      <Shelf
        label="Group by"
        empty="Dimensions: choose them among the fields, or drop them here"
        picks={dimensionsOf(query).map((pick) => ({ name: nameOf(pick), kind: 'dimension' as const, pick }))}
        accepts={(kind) => kind === 'dimension'}
        {...{ fields: dimensions, query, onChange }}
      />
      <Shelf
        label="Measure"
        empty="Measures and metrics"
        picks={measuresOf(query).map((name) => ({ name, kind: measures.get(name)?.kind ?? ('measure' as const), pick: name }))}
        accepts={(kind) => kind !== 'dimension'}
        {...{ fields: measures, query }}
        onChange={(next) => onChange(withoutUnread(next))}
        {...(canLoad &&
          time !== undefined && {
            onCompare: (measure: string) => onAddToModel({ kind: 'comparison', measure, time }),
          })}
        onWrite={(name) => onAddToModel({ kind: 'measures', measures: ownMeasuresBehind(query, name) })}
      >
        <Suspense>
          <NewMeasure
            {...{ schema, taken }}
            measures={[...measures.keys(), ...own]}
            onAdd={(measure) => onChange(withOwnMeasure(query, measure))}
          />
        </Suspense>
      </Shelf>
      <FilterShelf {...{ model, fields, query, onChange }} canAskValues={canRun} />
      <div className="run-row">
        {canRun && (
          <Suspense>
            <TimeControl {...{ model, fields, query, onChange }} fitting={fits} />
          </Suspense>
        )}
        <LimitAndSubtotals {...{ query, onChange, defaultLimit }} />
        <TopAndClear measures={[...measures.keys(), ...own]} {...{ query, onChange }} />
        <span className="grow" />
        {stale && !running && <span className="quiet stale">The answer below belongs to an earlier question.</span>}
        <RunButton {...{ running, onRun, onCancel }} canRun={canRun && !isEmpty(query)} />
      </div>
      {!canRun && (
        <p className="quiet">This server compiles questions but does not run them. QUERY_EXECUTE=true turns that on.</p>
      )}
    </section>
  )
}

function TopAndClear({
  measures,
  query,
  onChange,
}: Pick<Props, 'query' | 'onChange'> & { readonly measures: readonly string[] }) {
  return (
    <>
      <TopControl {...{ measures, query, onChange }} />
      {!isEmpty(query) && (
        <Button size="xs" variant="subtle" px={6} aria-label="Clear the question" onClick={() => onChange(EMPTY)}>
          Clear
        </Button>
      )}
    </>
  )
}

function LimitAndSubtotals({ query, onChange, defaultLimit }: Pick<Props, 'query' | 'onChange' | 'defaultLimit'>) {
  const { grouping } = query
  return (
    <>
      <TextInput
        size="xs"
        w={110}
        aria-label="Limit of rows"
        placeholder={`Limit ${defaultLimit.toLocaleString()}`}
        inputMode="numeric"
        maxLength={9}
        value={query.limit ?? ''}
        onChange={(event) => onChange(withLimit(query, Number(event.currentTarget.value.replace(/\D/g, '')) || undefined))}
      />
      <Select
        size="xs"
        w={132}
        aria-label="Subtotals"
        allowDeselect={false}
        data={SUBTOTALS}
        value={typeof grouping === 'string' ? grouping : 'none'}
        disabled={typeof grouping === 'object' && grouping !== null}
        onChange={(value) => onChange(withGrouping(query, value === 'none' || value === null ? undefined : value))}
      />
    </>
  )
}

function RunButton({ running, canRun, onRun, onCancel }: Pick<Props, 'running' | 'canRun' | 'onRun' | 'onCancel'>) {
  if (running)
    return (
      <Button
        size="sm"
        color="red"
        variant="light"
        leftSection={<IconPlayerStopFilled size={14} aria-hidden />}
        onClick={onCancel}
      >
        Cancel
      </Button>
    )
  return (
    <Button
      size="sm"
      leftSection={<IconPlayerPlayFilled size={14} aria-hidden />}
      disabled={!canRun}
      onClick={onRun}
      aria-keyshortcuts="Control+Enter Meta+Enter"
    >
      Run
      <Kbd size="xs" ml={8} className="on-button" aria-hidden>
        {isMac ? '⌘' : 'Ctrl'} ↵
      </Kbd>
    </Button>
  )
}
