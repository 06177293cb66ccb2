import { Button, Checkbox, CloseButton, Popover, Select, UnstyledButton } from '@mantine/core'
import { IconFilter, IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { ModelRef } from '../api/types.js'
import type { Field } from '../model/fields.js'
import { inWords } from '../query/in-words.js'
import { canonical, type Family, familyOf, findOperator, operatorsFor } from '../query/operators.js'
import { type Condition, type Filter, type FilterList, isFilter, type Query, withFilters } from '../query/query.js'

const FilterValue = lazy(() => import('./filter-value.js'))

interface Props {
  readonly model: ModelRef
  readonly fields: readonly Field[]
  readonly query: Query
  readonly canAskValues: boolean
  readonly onChange: (query: Query) => void
  /** Offers only these fields; all if absent. */
  readonly only?: Field['kind']
}

/** The conditions of the query. A condition without controls is shown as text. */
export function FilterShelf({ model, fields, query, canAskValues, onChange, only }: Props) {
  const [open, setOpen] = useState<string>()
  const [adding, setAdding] = useState(false)
  const byName = new Map(fields.map((field) => [field.name, field]))
  const lists: readonly FilterList[] = ['where', 'having']
  const set = (list: FilterList, index: number, condition: Condition | undefined) => {
    const all = [...(query[list] ?? [])]
    all.splice(index, 1, ...(condition === undefined ? [] : [condition]))
    onChange(withFilters(query, list, all))
  }
  const begin = (name: string | null) => {
    setAdding(false)
    const field = name === null ? undefined : byName.get(name)
    if (field === undefined) return
    const list: FilterList = field.kind === 'dimension' ? 'where' : 'having'
    const [first] = operatorsFor(familyOf(typeOf(field)))
    const filter = { field: field.name, op: first!.op, ...startValue(first!.takes, familyOf(typeOf(field))) }
    setOpen(`${list} ${(query[list] ?? []).length}`)
    onChange(withFilters(query, list, [...(query[list] ?? []), filter]))
  }
  return (
    <div className="shelf">
      <h2 className="label">Filters</h2>
      <div className="chips">
        {lists.flatMap((list) =>
          (query[list] ?? []).map((condition, index) => {
            const key = `${list} ${index}`
            return (
              <FilterChip
                key={key}
                {...{ model, canAskValues, condition, byName }}
                isOpen={open === key}
                onOpen={(isOpen) => setOpen(isOpen ? key : undefined)}
                onChange={(next) => set(list, index, next)}
              />
            )
          }),
        )}
        {adding ? (
          <FieldToFilter {...{ fields, only }} onChoose={begin} onLeave={() => setAdding(false)} />
        ) : (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            Add filter
          </Button>
        )}
      </div>
    </div>
  )
}

interface ChipProps {
  readonly model: ModelRef
  readonly canAskValues: boolean
  readonly condition: Condition
  readonly byName: ReadonlyMap<string, Field>
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  /** Without a condition, the filter is removed. */
  readonly onChange: (condition: Condition | undefined) => void
}

function FilterChip({ model, canAskValues, condition, byName, isOpen, onOpen, onChange }: ChipProps) {
  const says = inWords(condition)
  return (
    <span className="chip filter">
      <Popover opened={isOpen} onChange={onOpen} position="bottom-start" shadow="md" trapFocus withinPortal>
        <Popover.Target>
          <UnstyledButton className="chip-name" onClick={() => onOpen(!isOpen)} aria-label={`Filter: ${says}`}>
            <IconFilter size={14} aria-hidden />
            {says}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          {isFilter(condition) ? (
            <FilterEditor
              {...{ model, canAskValues, onChange }}
              filter={condition}
              field={byName.get(condition.field)}
              onDone={() => onOpen(false)}
            />
          ) : (
            <p className="quiet">This condition has no controls. Change it in the Query tab.</p>
          )}
        </Popover.Dropdown>
      </Popover>
      <CloseButton size="xs" aria-label={`Remove filter ${says}`} onClick={() => onChange(undefined)} />
    </span>
  )
}

interface FieldToFilterProps extends Pick<Props, 'fields'> {
  readonly only: Props['only'] | undefined
  readonly onChoose: (name: string | null) => void
  readonly onLeave: () => void
}

function FieldToFilter({ fields, only, onChoose, onLeave }: FieldToFilterProps) {
  // Without a value, Select forgets the typed letters whenever its list is a new one: at each render, as when an answer arrives.
  const [search, setSearch] = useState('')
  return (
    <Select
      size="xs"
      w={240}
      autoFocus
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      defaultDropdownOpened
      placeholder="Field to filter by"
      aria-label="Field to filter by"
      data={[
        { group: 'Dimensions', items: namesOf(fields, (kind) => kind === 'dimension') },
        {
          group: 'Measures and metrics',
          items: only === 'dimension' ? [] : namesOf(fields, (kind) => kind !== 'dimension'),
        },
      ]}
      limit={200}
      selectFirstOptionOnChange
      onChange={onChoose}
      onBlur={onLeave}
    />
  )
}

interface EditorProps {
  readonly model: ModelRef
  readonly canAskValues: boolean
  readonly filter: Filter
  readonly field: Field | undefined
  readonly onChange: (filter: Filter) => void
  readonly onDone: () => void
}

function FilterEditor({ model, canAskValues, filter, field, onChange, onDone }: EditorProps) {
  const family = familyOf(field && typeOf(field))
  const operators = operatorsFor(family, canonical(filter.op))
  const { takes, canKeepMissing } = findOperator(filter.op)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter in any of its inputs is enough.
    <div
      className="filter-editor"
      onKeyDown={(event) => event.key === 'Enter' && !event.defaultPrevented && takes !== 'list' && onDone()}
    >
      <div className="tab-bar">
        <strong className="grow">{filter.field}</strong>
        <Button size="compact-sm" variant="light" onClick={onDone}>
          Done
        </Button>
      </div>
      <Select
        size="sm"
        aria-label="Comparison"
        allowDeselect={false}
        data={operators.map(({ op, says }) => ({ value: op, label: says }))}
        value={canonical(filter.op)}
        comboboxProps={{ withinPortal: false }}
        onChange={(op) => {
          if (op === null) return
          const next = findOperator(op)
          onChange({
            field: filter.field,
            op,
            ...(next.takes === takes ? { value: filter.value } : startValue(next.takes, family)),
            ...(next.canKeepMissing && filter.or_missing && { or_missing: true }),
          })
        }}
      />
      <Suspense>
        <FilterValue
          {...{ model, family, takes }}
          type={field?.type ?? ''}
          dimension={canAskValues && field?.kind === 'dimension' ? filter.field : undefined}
          value={filter.value}
          onChange={(value) => onChange({ ...filter, value })}
        />
      </Suspense>
      {canKeepMissing && (
        <Checkbox
          size="xs"
          label="or empty"
          checked={filter.or_missing === true}
          onChange={({ currentTarget }) => onChange(keeping(filter, currentTarget.checked))}
        />
      )}
    </div>
  )
}

function keeping({ or_missing: _, ...filter }: Filter, isKept: boolean): Filter {
  return isKept ? { ...filter, or_missing: true } : filter
}

/** The type of a metric says how it is computed; its values are numbers. */
const typeOf = ({ kind, type }: Field): string => (kind === 'metric' ? 'float' : type)

const namesOf = (fields: readonly Field[], of: (kind: Field['kind']) => boolean): string[] => [
  ...new Set(fields.filter(({ kind }) => of(kind)).map(({ name }) => name)),
]

function startValue(takes: string, family: Family): { readonly value?: unknown } {
  if (takes === 'list') return { value: [] }
  if (takes === 'two') return { value: ['', ''] }
  if (takes === 'relative') return { value: { unit: 'month', count: 3, direction: 'past', include_current: true } }
  return takes === 'one' ? { value: family === 'truth' ? true : null } : {}
}
