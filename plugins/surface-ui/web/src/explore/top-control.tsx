import { Button, Popover, Select, Switch, TextInput } from '@mantine/core'
import { dimensionsOf, measuresOf, nameOf, type Query, type Top, topOf, withTop } from '../query/query.js'

interface Props {
  readonly query: Query
  /** The measures and metrics that can rank the values. */
  readonly measures: readonly string[]
  readonly onChange: (query: Query) => void
}

const MOST = 6

/** The values of a dimension that are separate groups. */
export function TopControl({ query, measures, onChange }: Props) {
  const dimensions = dimensionsOf(query).map(nameOf)
  const top = topOf(query)
  const first = { dimension: dimensions[0] ?? '', by: measuresOf(query)[0] ?? measures[0] ?? '', n: 5, others: 'Others' }
  const shown = top ?? first
  const change = (changed: Partial<Top>) => onChange(withTop(query, { ...shown, ...changed }))
  return (
    <Popover position="bottom-start" shadow="md" width={280} withinPortal trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default" fw={400} disabled={dimensions.length === 0 || measures.length === 0}>
          {top ? `${top.order === 'asc' ? 'Last' : 'Top'} ${top.n} of ${top.dimension}` : 'All values'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="top-control">
        <TextInput
          label="Show the top"
          size="xs"
          inputMode="numeric"
          maxLength={MOST}
          placeholder="All values"
          value={top?.n ?? ''}
          onChange={(event) => {
            const n = Number(event.currentTarget.value.replace(/\D/g, ''))
            onChange(withTop(query, n > 0 ? { ...shown, n } : undefined))
          }}
        />
        <Select
          label="Values of"
          size="xs"
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={[...new Set(dimensions)]}
          value={shown.dimension}
          onChange={(dimension) => dimension !== null && change({ dimension })}
        />
        <Select
          label="By"
          size="xs"
          searchable
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={[...measures]}
          value={shown.by}
          onChange={(by) => by !== null && change({ by })}
        />
        <Switch
          mt="xs"
          size="xs"
          label='Group the rest as "Others"'
          checked={shown.others !== undefined}
          onChange={(event) => change({ others: event.currentTarget.checked ? 'Others' : undefined })}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
