import { Group, NumberInput, SegmentedControl, Select, Switch, TagsInput, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { type DimensionValue, dimensionValues } from '../api/grainline.js'
import { isAbort, problemOfError } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import type { Family, Takes } from '../query/operators.js'

interface Props {
  readonly model: ModelRef
  readonly family: Family
  readonly takes: Takes
  readonly type: string
  /** The field whose values are suggested; absent where they cannot be queried. */
  readonly dimension: string | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/** The controls for the right side of a comparison. */
export default function FilterValue(props: Props) {
  const { takes, value, onChange } = props
  const list = Array.isArray(value) ? value : []
  switch (takes) {
    case 'none':
      return null
    case 'list':
      return <Values {...props} list={list} />
    case 'two':
      return (
        <Group gap="xs" wrap="nowrap">
          <One {...props} label="From" value={list[0]} onChange={(from) => onChange([from, list[1] ?? ''])} />
          <One {...props} label="To" value={list[1]} onChange={(to) => onChange([list[0] ?? '', to])} />
        </Group>
      )
    case 'relative':
      return <Span value={value} onChange={onChange} />
    case 'one':
      return <One {...props} label="Value" />
  }
}

function One({ family, type, label, value, onChange }: Props & { readonly label: string }) {
  if (family === 'truth')
    return (
      <SegmentedControl
        aria-label={label}
        data={['true', 'false']}
        value={String(value === true || value === 'true')}
        onChange={(text) => onChange(text === 'true')}
      />
    )
  if (family === 'number')
    return (
      <NumberInput
        aria-label={label}
        placeholder={label}
        value={typeof value === 'number' || typeof value === 'string' ? value : ''}
        onChange={(number) => onChange(number === '' ? null : number)}
      />
    )
  const kind = family === 'clock' ? 'time' : family !== 'time' ? 'text' : type === 'date' ? 'date' : 'datetime-local'
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      type={kind}
      value={String(value ?? '')}
      onChange={({ currentTarget: { value: text } }) => onChange(text === '' && kind !== 'text' ? null : text)}
    />
  )
}

function Values({ model, family, dimension, list, onChange }: Props & { readonly list: readonly unknown[] }) {
  const [search, setSearch] = useState('')
  const { values, failed } = useSuggestions(model, dimension, search)
  const counts = new Map(values.map(({ value, count }) => [String(value), count]))
  const read = (text: string): unknown =>
    family === 'number' && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  return (
    <TagsInput
      aria-label="Values"
      placeholder={list.length === 0 ? 'Type or choose' : ''}
      data={[...counts.keys()]}
      value={list.map(String)}
      onChange={(texts) => onChange(texts.map(read))}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      error={failed}
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      classNames={{ options: 'suggestions' }}
      renderOption={({ option }) => (
        <span className="suggestion">
          <span>{option.value}</span>
          <span className="quiet">{Number(counts.get(option.value) ?? 0).toLocaleString()}</span>
        </span>
      )}
    />
  )
}

/** The values of a dimension that contain the typed text, the most frequent first. An error of the database is shown. */
function useSuggestions(model: ModelRef, dimension: string | undefined, search: string) {
  const [values, setValues] = useState<readonly DimensionValue[]>([])
  const [failed, setFailed] = useState<string>()
  const [settled] = useDebouncedValue(search, 200)
  useEffect(() => {
    if (dimension === undefined) return
    const controller = new AbortController()
    dimensionValues(model, dimension, { search: settled, signal: controller.signal })
      .then((found) => {
        setValues(found.filter(({ value }) => value !== null))
        setFailed(undefined)
      })
      .catch((error: unknown) => isAbort(error) || setFailed(`No suggestions: ${problemOfError(error).detail}`))
    return () => controller.abort()
  }, [model, dimension, settled])
  return { values, failed }
}

interface SpanValue {
  readonly unit: string
  readonly count: number
  readonly direction?: string
  readonly include_current?: boolean
}
const UNITS = ['hour', 'day', 'week', 'month', 'quarter', 'year']

function Span({ value, onChange }: { readonly value: unknown; readonly onChange: (value: SpanValue) => void }) {
  const span: SpanValue =
    typeof value === 'object' && value !== null && 'unit' in value ? (value as SpanValue) : { unit: 'month', count: 3 }
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Select
          w={90}
          aria-label="Direction"
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={[
            { value: 'past', label: 'last' },
            { value: 'future', label: 'next' },
          ]}
          value={span.direction ?? 'past'}
          onChange={(direction) => direction !== null && onChange({ ...span, direction })}
        />
        <NumberInput
          w={80}
          min={1}
          aria-label="How many"
          value={span.count}
          onChange={(count) => onChange({ ...span, count: Number(count) || 1 })}
        />
        <Select
          w={120}
          aria-label="Unit"
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={UNITS}
          value={span.unit}
          onChange={(unit) => unit !== null && onChange({ ...span, unit })}
        />
      </Group>
      <Switch
        label="With the current one"
        checked={span.include_current ?? true}
        onChange={(event) => onChange({ ...span, include_current: event.currentTarget.checked })}
      />
    </>
  )
}
