/** A measure that the question writes itself: an aggregate of a column, or a ratio of two measures. */
import { Button, Popover, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Schema } from '../api/types.js'
import { AGGREGATIONS, aggregateOf, type OwnMeasure, ratioOf } from '../query/own-measures.js'

interface Props {
  readonly schema: Schema
  /** The measures and metrics that a ratio may read. */
  readonly measures: readonly string[]
  /** Names that a measure cannot have. */
  readonly taken: ReadonlySet<string>
  readonly onAdd: (measure: OwnMeasure) => void
}

const RATIO = 'ratio'
const KINDS = [...AGGREGATIONS, { value: RATIO, label: 'Ratio of two measures' }]

export default function NewMeasure({ schema, measures, taken, onAdd }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [kind, setKind] = useState<string>('avg')
  const [column, setColumn] = useState<string | null>(null)
  const [[part, whole], setParts] = useState<readonly [string | null, string | null]>([null, null])
  const [named, setNamed] = useState('')
  const made = kind === RATIO ? part !== null && whole !== null && ratioOf(part, whole) : aggregateOfColumn(kind, column)
  const name = named.trim() || (made ? made.as : '')
  const fault = taken.has(name.toLowerCase()) ? 'The model has a field of this name.' : undefined
  const list = { size: 'xs', searchable: true, comboboxProps: { withinPortal: false } } as const
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" width={300} withinPortal trapFocus>
      <Popover.Target>
        <Button size="compact-xs" variant="default" fw={400} onClick={() => setOpen(!isOpen)}>
          New measure
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="top-control">
        <Select
          label="Compute"
          size="xs"
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={KINDS}
          value={kind}
          onChange={(chosen) => setKind(chosen ?? kind)}
        />
        {kind === RATIO ? (
          <>
            <Select label="Measure" {...list} data={[...measures]} value={part} onChange={(value) => setParts([value, whole])} />
            <Select label="Per" {...list} data={[...measures]} value={whole} onChange={(value) => setParts([part, value])} />
          </>
        ) : (
          <Select label="Of the column" {...list} data={columnsOf(schema)} value={column} onChange={setColumn} />
        )}
        <TextInput
          label="Name"
          size="xs"
          placeholder={made ? made.as : ''}
          value={named}
          error={fault}
          onChange={(event) => setNamed(event.currentTarget.value)}
        />
        <Button
          mt="xs"
          size="xs"
          disabled={!made || fault !== undefined}
          onClick={() => {
            if (!made) return
            onAdd({ ...made, as: name })
            setOpen(false)
            setNamed('')
          }}
        >
          Add it to the question
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The place of a column in the schema: names may have dots. */
const columnsOf = ({ data_objects }: Schema) =>
  data_objects.map(({ name, columns }) => ({
    group: name,
    items: columns.map((column) => ({ value: JSON.stringify([name, column.name]), label: column.name })),
  }))

function aggregateOfColumn(aggregation: string, column: string | null): OwnMeasure | undefined {
  if (column === null) return undefined
  const [dataObject, name] = JSON.parse(column) as readonly [string, string]
  return aggregateOf(aggregation, dataObject, name)
}
