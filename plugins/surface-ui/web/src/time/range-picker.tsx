import { Button, Popover, Select, Switch, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isDay, type Range, rangeOf, SPANS, type Span, type TimeField } from './time-range.js'

interface Props {
  readonly fields: readonly TimeField[]
  readonly field: TimeField | undefined
  /** The first and the last day of the data. */
  readonly extent: Range | undefined
  readonly span: Span | undefined
  readonly range: Range | undefined
  readonly onField: (field: TimeField) => void
  readonly onSpan: (span: Span) => void
  readonly onRange: (range: Range | undefined) => void
  readonly onOpen?: () => void
  readonly compare?: { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void }
  /** Below the days: with what they are compared. */
  readonly children?: ReactNode
  /** What the button says of it. */
  readonly against?: string | undefined
}

/** The days that are asked about: a preset that ends with the last day of the data, or a first and a last day. */
export function RangePicker({
  fields,
  field,
  extent,
  span,
  range,
  onField,
  onSpan,
  onRange,
  onOpen,
  compare,
  children,
  against,
}: Props) {
  if (field === undefined) return null
  const says = range === undefined ? (span ?? 'all days') : `${range.from} to ${range.to}`
  const shown = `${span ?? says}${against === undefined ? '' : `, ${against}`}`
  return (
    <Popover position="bottom-start" shadow="md" width={300} withinPortal trapFocus {...(onOpen && { onOpen })}>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          className="range-button"
          fw={400}
          leftSection={<IconCalendar size={14} aria-hidden />}
          aria-label={`Time: ${field.name}, ${shown}${span === undefined || span === says ? '' : `, ${says}`}`}
        >
          {shown}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="top-control">
        <Select
          label="Time"
          size="xs"
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={fields.map(({ name }) => name)}
          value={field.name}
          onChange={(name) => {
            const chosen = fields.find((each) => each.name === name)
            if (chosen) onField(chosen)
          }}
        />
        <Presets {...{ extent, span, range, onSpan, onRange }} />
        <Days {...{ range, extent, onRange }} />
        {extent !== undefined && (
          <p className="quiet">
            The data is from {extent.from} to {extent.to}.
          </p>
        )}
        {compare !== undefined && (
          <Switch
            size="xs"
            label="Compare with the period before"
            disabled={range === undefined}
            checked={compare.isOn}
            onChange={(event) => compare.onChange(event.currentTarget.checked)}
          />
        )}
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Days that end with the last one of the data. */
function Presets({ extent, span, range, onSpan, onRange }: Pick<Props, 'extent' | 'span' | 'range' | 'onSpan' | 'onRange'>) {
  return (
    <div className="spans">
      <Button
        size="compact-xs"
        variant={range === undefined && span === undefined ? 'filled' : 'default'}
        onClick={() => onRange(undefined)}
      >
        all days
      </Button>
      {SPANS.map((each) => (
        <Button
          key={each}
          size="compact-xs"
          variant={each === span ? 'filled' : 'default'}
          disabled={extent === undefined || rangeOf(each, extent.to).to < extent.from}
          onClick={() => onSpan(each)}
        >
          {each}
        </Button>
      ))}
    </div>
  )
}

/** A first and a last day. */
function Days({ range, extent, onRange }: Pick<Props, 'range' | 'extent' | 'onRange'>) {
  const set = (change: Partial<Range>) => {
    const next = { from: range?.from ?? extent?.from ?? '', to: range?.to ?? extent?.to ?? '', ...change }
    if (isDay(next.from) && isDay(next.to)) onRange(next.from <= next.to ? next : { from: next.to, to: next.from })
  }
  return (
    <div className="spans">
      <TextInput
        size="xs"
        type="date"
        label="From"
        value={range?.from ?? ''}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        type="date"
        label="To"
        value={range?.to ?? ''}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
    </div>
  )
}
