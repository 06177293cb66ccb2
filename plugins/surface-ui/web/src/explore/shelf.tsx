import { CloseButton, Menu, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import type { Field } from '../model/fields.js'
import {
  add,
  type FieldKind,
  GRAINS,
  grainOf,
  move,
  type Query,
  toggle,
  withComparison,
  withGrain,
  withOrders,
} from '../query/query.js'
import { DRAGGED, readDragged } from './dragged.js'
import { FieldIcon } from './field-icon.js'

interface Props {
  readonly label: string
  readonly empty: string
  /** The picks of the shelf: the name and the text after it. */
  readonly picks: readonly { readonly name: string; readonly kind: FieldKind; readonly pick: unknown }[]
  readonly accepts: (kind: FieldKind) => boolean
  readonly fields: ReadonlyMap<string, Field>
  readonly query: Query
  readonly onChange: (query: Query) => void
  readonly children?: ReactNode
  /** Writes a comparison with an earlier period into the model; absent if that is not possible. */
  readonly onCompare?: (name: string) => void
  /** Writes a measure of the question into the model. */
  readonly onWrite?: (name: string) => void
}

/** The selected fields in order. Fields can be dropped here, and dragged to another position. */
export function Shelf({ label, empty, picks, accepts, fields, query, onChange, children, onCompare, onWrite }: Props) {
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent, to = picks.length) => {
    const dragged = readDragged(event.dataTransfer)
    setOver(false)
    if (dragged === undefined || !accepts(dragged.kind)) return
    event.preventDefault()
    event.stopPropagation()
    onChange(
      dragged.from === undefined
        ? add(query, dragged.kind, dragged.name)
        : move(query, dragged.kind, dragged.from, Math.min(to, picks.length - 1)),
    )
  }
  return (
    <div className="shelf">
      <h2 className="label">{label}</h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a place to drop on; the tree adds by keyboard as well. */}
      <div
        className={`chips ${over ? 'over' : ''}`}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes(DRAGGED)) return
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {picks.map(({ name, kind, pick }, index) => (
          <FieldChip
            key={name}
            {...{ name, kind, index, query, onChange, drop, onCompare, onWrite }}
            comparisons={kind === 'dimension' ? NONE : [...fields.values()].filter(({ compares }) => compares === name)}
            field={fields.get(name)}
            grain={typeof pick === 'string' ? grainOf(pick) : undefined}
            own={typeof pick !== 'string'}
          />
        ))}
        {picks.length === 0 && <span className="quiet">{empty}</span>}
        {children}
      </div>
    </div>
  )
}

const NONE: readonly Field[] = []

interface ChipProps {
  readonly name: string
  readonly kind: FieldKind
  readonly index: number
  readonly field: Field | undefined
  readonly grain: string | undefined
  /** A field that the query defines itself. */
  readonly own: boolean
  readonly query: Query
  readonly onChange: (query: Query) => void
  /** Metrics that compare it with an earlier period. */
  readonly comparisons: readonly Field[]
  readonly onCompare: ((name: string) => void) | undefined
  readonly onWrite: ((name: string) => void) | undefined
  readonly drop: (event: DragEvent, to: number) => void
}

function FieldChip({ name, kind, index, field, grain, own, query, onChange, comparisons, onCompare, onWrite, drop }: ChipProps) {
  const order = (query.order_by ?? []).find((each) => each.field === name)
  const direction = order && (order.direction ?? 'asc')
  const others = (query.order_by ?? []).filter((each) => each.field !== name)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu can move it, too.
    <span
      className={`chip ${kind}`}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, JSON.stringify({ kind, name, from: index }))}
      onDrop={(event) => drop(event, index)}
    >
      <Menu shadow="md" position="bottom-start" width={240}>
        <Menu.Target>
          <UnstyledButton
            className="chip-name"
            aria-label={`${name}${grain === undefined ? '' : ` by ${grain}`}: order, place${field?.isTime ? ', grain' : ''}`}
          >
            <FieldIcon kind={kind} type={field?.type ?? ''} />
            {name}
            {grain !== undefined && (
              <>
                {' '}
                <span className="grain">by {grain}</span>
              </>
            )}
            {direction === 'asc' && <IconArrowUp size={14} aria-label="ascending" />}
            {direction === 'desc' && <IconArrowDown size={14} aria-label="descending" />}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onChange(withOrders(query, [...others, { field: name, direction: 'asc' }]))}>
            Order ascending
          </Menu.Item>
          <Menu.Item onClick={() => onChange(withOrders(query, [...others, { field: name, direction: 'desc' }]))}>
            Order descending
          </Menu.Item>
          {order !== undefined && <Menu.Item onClick={() => onChange(withOrders(query, others))}>No order</Menu.Item>}
          {index > 0 && <Menu.Item onClick={() => onChange(move(query, kind, index, index - 1))}>Move to the left</Menu.Item>}
          {kind === 'dimension' && field?.isTime && !own && (
            <>
              <Menu.Divider />
              <Menu.Label>Grain</Menu.Label>
              <Menu.Item onClick={() => onChange(withGrain(query, name, undefined))}>As in the model</Menu.Item>
              {GRAINS.slice(/^date/.test(field.type) ? 3 : 0).map((each) => (
                <Menu.Item key={each} onClick={() => onChange(withGrain(query, name, each))} aria-current={each === grain}>
                  {each}
                </Menu.Item>
              ))}
            </>
          )}
          {kind !== 'dimension' && field === undefined && onWrite !== undefined && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => onWrite(name)}>Write it into the model …</Menu.Item>
            </>
          )}
          {kind !== 'dimension' &&
            field !== undefined &&
            field.compares === undefined &&
            (comparisons.length > 0 || onCompare !== undefined) && (
              <>
                <Menu.Divider />
                <Menu.Label>Against an earlier period</Menu.Label>
                {comparisons.map((each) => (
                  <Menu.Item key={each.name} onClick={() => onChange(withComparison(query, each.name, each.timeDimension))}>
                    {each.name}
                  </Menu.Item>
                ))}
                {onCompare !== undefined && comparisons.length === 0 && (
                  <Menu.Item onClick={() => onCompare(name)}>Write it into the model …</Menu.Item>
                )}
              </>
            )}
        </Menu.Dropdown>
      </Menu>
      <CloseButton size="xs" aria-label={`Take ${name} away`} onClick={() => onChange(toggle(query, kind, name))} />
    </span>
  )
}
