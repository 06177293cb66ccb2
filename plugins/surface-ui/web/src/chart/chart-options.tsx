import { Button, MultiSelect, NumberInput, Popover, Select, Switch, TextInput } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import type { Column } from '../api/read-arrow.js'
import { shapeOf } from './chart-kind.js'
import { type ChartKind, type ChartLook, type ChartOrder, TITLE_AT_MOST } from './chart-look.js'

interface Props {
  readonly look: ChartLook
  readonly onLook: (look: ChartLook) => void
  readonly kind: ChartKind
  readonly columns: readonly Column[]
  /** The title that the question gives. */
  readonly title: string
}

const ORDER_NAMES: Readonly<Record<ChartOrder, string>> = {
  largest: 'the largest first',
  name: 'by name',
  answer: 'as in the rows',
}

/** Axis, measures, order, title and a line across the chart. */
export function ChartOptions({ look, onLook, kind, columns, title }: Props) {
  const { time, categories } = shapeOf(columns, look)
  const dimensions = columns.filter(({ role }) => role === 'dimension').map(({ name }) => name)
  const numbers = shapeOf(columns).numbers.map(({ name }) => name)
  const axis = time?.name ?? categories[0]?.name ?? null
  const set = (change: { readonly [K in keyof ChartLook]?: ChartLook[K] | undefined }) => {
    const next = Object.entries({ ...look, ...change }).filter(([, value]) => value !== undefined)
    onLook(Object.fromEntries(next) as ChartLook)
  }
  return (
    <Popover position="bottom-start" shadow="md" width={300} withinPortal trapFocus>
      <Popover.Target>
        <Button size="compact-sm" variant="subtle" leftSection={<IconAdjustments size={15} aria-hidden />}>
          Options
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="top-control">
        <TextInput
          label="Title"
          size="xs"
          maxLength={TITLE_AT_MOST}
          placeholder={title}
          value={look.title ?? ''}
          onChange={(event) => set({ title: event.currentTarget.value || undefined })}
        />
        {dimensions.length > 1 && (
          <Select
            label="Along the axis"
            size="xs"
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            data={dimensions}
            value={axis}
            onChange={(x) => set({ x: x ?? undefined, without: undefined })}
          />
        )}
        {numbers.length > 1 && (
          <MultiSelect
            label="Measures"
            size="xs"
            comboboxProps={{ withinPortal: false }}
            data={numbers}
            value={shapeOf(columns, look).numbers.map(({ name }) => name)}
            onChange={(measures) =>
              set({ measures: measures.length === 0 || measures.length === numbers.length ? undefined : measures })
            }
          />
        )}
        {time === undefined && kind !== 'scatter' && (
          <Select
            label="Order"
            size="xs"
            placeholder="by the kind of value"
            clearable
            comboboxProps={{ withinPortal: false }}
            data={Object.entries(ORDER_NAMES).map(([value, label]) => ({ value, label }))}
            value={look.order ?? null}
            onChange={(order) => set({ order: (order as ChartOrder | null) ?? undefined })}
          />
        )}
        {kind !== 'scatter' && kind !== 'multiples' && (
          <NumberInput
            label="A line at"
            size="xs"
            placeholder="such as a target"
            value={look.line ?? ''}
            onChange={(line) => set({ line: typeof line === 'number' ? line : undefined })}
          />
        )}
        {kind === 'stacked' && <Shares isOn={look.shares === true} onChange={(isOn) => set({ shares: isOn || undefined })} />}
      </Popover.Dropdown>
    </Popover>
  )
}

function Shares({ isOn, onChange }: { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void }) {
  return (
    <Switch
      mt="xs"
      size="xs"
      label="As shares of 100 %"
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
