import { Tooltip } from '@mantine/core'
import { IconCheck, IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import type { Composables } from '../api/types.js'
import { type Field, type Group, matching } from '../model/fields.js'
import { has, type Query } from '../query/query.js'
import { useRowWindow } from '../state/use-row-window.js'
import { DRAGGED } from './dragged.js'
import { FieldIcon } from './field-icon.js'

interface Props {
  readonly groups: readonly Group[]
  readonly search: string
  readonly query: Query
  readonly addable: Composables | undefined
  readonly onToggle: (field: Field) => void
  /** Called for a field that does not fit. */
  readonly onRefused: (field: Field) => void
}

type Row =
  | { readonly kind: 'group'; readonly group: Group; readonly open: boolean }
  | { readonly kind: 'field'; readonly field: Field }

const ROW = 30
/** In a model with more fields, objects are collapsed at first. */
const OPEN_AT_MOST = 150

/** The fields of the model below their objects. It is one tab stop: arrows move, Enter adds or removes. */
export function FieldTree({ groups, search, query, addable, onToggle, onRefused }: Props) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState(0)
  const id = useId()
  const large = groups.reduce((sum, { fields }) => sum + fields.length, 0) > OPEN_AT_MOST
  const rows = useMemo(() => rowsOf(groups, { search, large, toggled }), [groups, search, large, toggled])
  const view = useRowWindow(rows.length, ROW)
  const fits = useMemo(() => fittingOf(addable), [addable])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new search starts at its first row.
  useEffect(() => setActive(0), [search])

  const act = (row: Row | undefined) => {
    if (row === undefined) return
    if (row.kind === 'group') return setToggled((names) => flipped(names, row.group.name))
    return has(query, row.field.kind, row.field.name) || fits(row.field) ? onToggle(row.field) : onRefused(row.field)
  }
  const go = (to: number) => {
    const row = Math.max(0, Math.min(rows.length - 1, to))
    setActive(row)
    view.reveal(row)
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
          return row.kind === 'group' ? (
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active row.
            <div
              key={`g ${row.group.name}`}
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
          ) : (
            <FieldRow
              key={`f ${row.field.kind} ${row.field.name}`}
              {...common}
              field={row.field}
              chosen={has(query, row.field.kind, row.field.name)}
              fits={fits(row.field)}
            />
          )
        })}
      </div>
      {rows.length === 0 && <p className="quiet pad">No field of this model matches.</p>}
    </div>
  )
}

interface RowProps {
  readonly id: string
  readonly field: Field
  readonly chosen: boolean
  readonly fits: boolean
  readonly style: { readonly top: number; readonly height: number }
  readonly onClick: () => void
}

function FieldRow({ field, chosen, fits, ...common }: RowProps) {
  const greyed = !fits && !chosen
  return (
    <Tooltip label={<FieldHelp field={field} greyed={greyed} />} position="right" multiline w={300} openDelay={450} withArrow>
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
        <span className="name">{field.name}</span>
        {field.status !== undefined && <span className={`status ${field.status}`}>{field.status}</span>}
        {chosen && <IconCheck size={15} aria-hidden />}
      </div>
    </Tooltip>
  )
}

function FieldHelp({ field, greyed }: { readonly field: Field; readonly greyed: boolean }) {
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

function rowsOf(
  groups: readonly Group[],
  { search, large, toggled }: { search: string; large: boolean; toggled: ReadonlySet<string> },
): readonly Row[] {
  const text = search.trim()
  return groups.flatMap((group): Row[] => {
    const found = text === '' ? group.fields : matching(group.fields, text)
    if (found.length === 0) return []
    const open = text !== '' || large === toggled.has(group.name)
    const head: Row = { kind: 'group', group: { ...group, fields: found }, open }
    return open ? [head, ...found.map((field): Row => ({ kind: 'field', field }))] : [head]
  })
}

/** Until the compatible fields are known, every field can be added. */
function fittingOf(addable: Composables | undefined): (field: Field) => boolean {
  if (addable === undefined) return () => true
  const sets = { dimension: new Set(addable.dimensions), measure: new Set(addable.measures), metric: new Set(addable.metrics) }
  return ({ kind, name }) => sets[kind].has(name)
}

function flipped(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names)
  if (!next.delete(name)) next.add(name)
  return next
}
