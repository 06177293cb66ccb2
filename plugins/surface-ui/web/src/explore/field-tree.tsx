import { Tooltip } from '@mantine/core'
import { IconCheck, IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import type { Composables } from '../api/types.js'
import { distance, type Field, type Group, matching } from '../model/fields.js'
import { has, type Query } from '../query/query.js'
import { useRowWindow } from '../state/use-row-window.js'
import { DRAGGED } from './dragged.js'
import { FieldIcon } from './field-icon.js'

interface Props {
  readonly groups: readonly Group[]
  readonly search: string
  readonly query: Query
  readonly addable: Composables | undefined
  /** Leaves out the fields that do not fit. */
  readonly onlyFitting: boolean
  readonly onToggle: (field: Field) => void
  /** Called for a field that does not fit. */
  readonly onRefused: (field: Field) => void
}

type Row =
  | { readonly kind: 'section'; readonly name: Group['section'] }
  | { readonly kind: 'group'; readonly group: Group; readonly open: boolean }
  | { readonly kind: 'field'; readonly field: Field; readonly of: Group }

const ROW = 30
/** In a model with more fields, objects are collapsed at first. */
const OPEN_AT_MOST = 150

/** The fields of the model below their objects. It is one tab stop: arrows move, Enter adds or removes. */
export function FieldTree({ groups, search, query, addable, onlyFitting, onToggle, onRefused }: Props) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [chosenRow, setActive] = useState(0)
  const id = useId()
  const large = groups.reduce((sum, { fields }) => sum + fields.length, 0) > OPEN_AT_MOST
  const fits = useMemo(() => fittingOf(addable), [addable])
  const rows = useMemo(() => {
    const isListed = (field: Field) => !onlyFitting || fits(field) !== 'not' || has(query, field.kind, field.name)
    return rowsOf(groups, { search, large, toggled, isListed })
  }, [groups, search, large, toggled, onlyFitting, fits, query])
  const view = useRowWindow(rows.length, ROW)
  // The heading of a section is no stop of the keyboard.
  const active = rows[chosenRow]?.kind === 'section' ? chosenRow + 1 : chosenRow

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new search starts at its first row.
  useEffect(() => setActive(0), [search])

  const act = (row: Row | undefined) => {
    if (row === undefined || row.kind === 'section') return
    if (row.kind === 'group') return setToggled((keys) => flipped(keys, keyOf(row.group)))
    return has(query, row.field.kind, row.field.name) || fits(row.field) !== 'not' ? onToggle(row.field) : onRefused(row.field)
  }
  const go = (to: number) => {
    const wanted = Math.max(0, Math.min(rows.length - 1, to))
    const row = rows[wanted]?.kind !== 'section' ? wanted : wanted === 0 || wanted > active ? wanted + 1 : wanted - 1
    setActive(row)
    view.reveal(row === 1 ? 0 : row)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active]
    const open = row?.kind === 'group' && row.open
    if (event.key === 'ArrowDown') go(active + 1)
    else if (event.key === 'ArrowUp') go(active - 1)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(rows.length - 1)
    else if (event.key === 'ArrowRight') row?.kind === 'group' && !open ? act(row) : go(active + 1)
    else if (event.key === 'ArrowLeft') open ? act(row) : go(rows.findLastIndex((each, i) => i < active && each.kind === 'group'))
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === ' ') act(row)
    else return
    event.preventDefault()
  }

  const drawn = rows.slice(view.first, view.last)
  return (
    <div
      ref={view.ref}
      className="tree"
      role="tree"
      aria-label="Fields of the model"
      tabIndex={0}
      aria-activedescendant={active >= view.first && active < view.last ? `${id}-${active}` : undefined}
      onScroll={view.onScroll}
      onKeyDown={onKeyDown}
    >
      <div className="tall" style={{ height: view.height }} role="presentation">
        {drawn.map((row, n) => {
          const index = view.first + n
          const common = {
            id: `${id}-${index}`,
            'data-active': index === active || undefined,
            style: { top: view.topOf(index), height: ROW },
            onClick: () => {
              setActive(index)
              act(row)
            },
          }
          return <TreeRow key={rowKey(row)} {...{ row, common, query, fits }} />
        })}
      </div>
      {rows.length === 0 && <p className="quiet pad">No field of this model matches.</p>}
    </div>
  )
}

interface TreeRowProps {
  readonly row: Row
  readonly common: Omit<RowProps, 'field' | 'chosen' | 'fits'>
  readonly query: Query
  readonly fits: (field: Field) => Fitting
}

function TreeRow({ row, common, query, fits }: TreeRowProps) {
  if (row.kind === 'section')
    return (
      <div {...common} className="row section" role="presentation">
        {row.name}
      </div>
    )
  if (row.kind === 'field') {
    const { field } = row
    return <FieldRow {...common} field={field} chosen={has(query, field.kind, field.name)} fits={fits(field)} />
  }
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active row.
    <div
      {...common}
      className="row group"
      role="treeitem"
      aria-level={1}
      aria-expanded={row.open}
      aria-selected={false}
      title={row.group.description}
    >
      {row.open ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
      <span className="name">{row.group.name}</span>
      <span className="count">{row.group.fields.length}</span>
    </div>
  )
}

function rowKey(row: Row): string {
  if (row.kind === 'section') return `s ${row.name}`
  return row.kind === 'group' ? `g ${keyOf(row.group)}` : `f ${keyOf(row.of)} ${row.field.kind} ${row.field.name}`
}

interface RowProps {
  readonly id: string
  readonly field: Field
  readonly chosen: boolean
  readonly fits: Fitting
  readonly style: { readonly top: number; readonly height: number }
  readonly onClick: () => void
}

function FieldRow({ field, chosen, fits, ...common }: RowProps) {
  const greyed = fits === 'not' && !chosen
  const isApart = fits === 'apart' && !chosen
  return (
    <Tooltip
      label={<FieldHelp {...{ field, greyed, isApart }} />}
      // Below, because at the right it would cover the question.
      position="bottom-start"
      multiline
      w={262}
      openDelay={600}
    >
      {/* biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active row. */}
      <div
        {...common}
        className={`row field ${chosen ? 'chosen' : ''} ${greyed ? 'greyed' : ''}`}
        role="treeitem"
        aria-level={2}
        aria-selected={chosen}
        aria-disabled={greyed}
        aria-label={`${field.name}, ${field.kind}${field.status === undefined ? '' : `, ${field.status}`}${
          greyed ? ', does not fit the question' : ''
        }`}
        draggable={!greyed}
        onDragStart={(event) => event.dataTransfer.setData(DRAGGED, JSON.stringify({ kind: field.kind, name: field.name }))}
      >
        <FieldIcon kind={field.kind} type={field.type} />
        <span className="name">{field.label ?? field.name}</span>
        {field.status !== undefined && <span className={`status ${field.status}`}>{field.status}</span>}
        {chosen && <IconCheck size={15} aria-hidden />}
      </div>
    </Tooltip>
  )
}

interface HelpProps {
  readonly field: Field
  readonly greyed: boolean
  readonly isApart: boolean
}

function FieldHelp({ field, greyed, isApart }: HelpProps) {
  return (
    <div className="help">
      <strong>{field.name}</strong>
      <span>
        {field.kind}
        {field.type === '' ? '' : `, ${field.type}`}
      </span>
      {field.description !== undefined && <span>{field.description}</span>}
      <code>{field.made}</code>
      {field.status !== undefined && <StatusHelp status={field.status} use={field.use} />}
      {isApart && <em>Of another fact: it is computed from its own rows, and then joined by the groups of the question.</em>}
      {greyed && <em>Does not fit the selected fields. Click to see why.</em>}
    </div>
  )
}

const MEANS: Readonly<Record<string, string>> = {
  proposed: 'Proposed: it is not checked yet.',
  certified: 'Certified: its owner vouches for it.',
  deprecated: 'Deprecated: it will go.',
}

function StatusHelp({ status, use }: { readonly status: string; readonly use: string | undefined }) {
  return (
    <em>
      {MEANS[status] ?? status}
      {use === undefined ? '' : ` Use ${use}.`}
    </em>
  )
}

interface Listing {
  readonly search: string
  readonly large: boolean
  readonly toggled: ReadonlySet<string>
  readonly isListed: (field: Field) => boolean
}

function rowsOf(groups: readonly Group[], { search, large, toggled, isListed }: Listing): readonly Row[] {
  const text = search.trim()
  const words = text.toLowerCase().split(/\s+/)
  const found = groups
    .flatMap((group) => {
      const fields = (text === '' ? group.fields : matching(group.fields, text)).filter(isListed)
      const [best] = fields
      return best === undefined ? [] : [{ ...group, fields, distance: text === '' ? 0 : distance(best, words) }]
    })
    .toSorted((a, b) => a.distance - b.distance)
  return found.flatMap((group, n): Row[] => {
    const closed = large || group.isAside === true
    const open = text !== '' || closed === toggled.has(keyOf(group))
    const section: readonly Row[] = found[n - 1]?.section === group.section ? [] : [{ kind: 'section', name: group.section }]
    const fields = open ? group.fields.map((field): Row => ({ kind: 'field', field, of: group })) : []
    return [...section, { kind: 'group', group, open }, ...fields]
  })
}

const keyOf = ({ section, name }: Group): string => `${section} ${name}`

/** `apart`: a measure of another fact, which is computed from its own rows and joined by the groups. */
type Fitting = 'plain' | 'apart' | 'not'

/** Until the compatible fields are known, every field can be added. */
export function fittingOf(addable: Composables | undefined): (field: Field) => Fitting {
  if (addable === undefined) return () => 'plain'
  const plain = new Set(
    [addable.dimensions, addable.measures, addable.metrics].flatMap((names, n) => names.map((name) => `${KINDS[n]} ${name}`)),
  )
  const apart = new Set(
    [[], addable.cflMeasures, addable.cflMetrics].flatMap((names, n) => names.map((name) => `${KINDS[n]} ${name}`)),
  )
  return ({ kind, name }) => (plain.has(`${kind} ${name}`) ? 'plain' : apart.has(`${kind} ${name}`) ? 'apart' : 'not')
}

const KINDS = ['dimension', 'measure', 'metric'] as const

function flipped(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}
