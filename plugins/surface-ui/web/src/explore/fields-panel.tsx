import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { compile } from '../api/grainline.js'
import { problemOfError } from '../api/request.js'
import type { Composables, ModelRef, Schema } from '../api/types.js'
import { type Field, fieldsOf, groupsOf } from '../model/fields.js'
import { add, has, type Query, toggle } from '../query/query.js'
import { FieldTree, fittingOf } from './field-tree.js'

interface Props {
  readonly model: ModelRef
  readonly schema: Schema
  readonly query: Query
  readonly addable: Composables | undefined
  readonly onChange: (query: Query) => void
}

/** The tree of fields with its search, and the reason why a field does not fit. */
export function FieldsPanel({ model, schema, query, addable, onChange }: Props) {
  const [search, setSearch] = useState('')
  const [refused, setRefused] = useState<{ readonly name: string; readonly why: string }>()
  const [onlyFitting, setOnlyFitting] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const fields = useMemo(() => fieldsOf(schema), [schema])
  const groups = useMemo(() => groupsOf(schema, fields), [schema, fields])
  const unfit = useMemo(() => {
    const fits = fittingOf(addable)
    return fields.filter((field) => fits(field) === 'not' && !has(query, field.kind, field.name)).length
  }, [fields, addable, query])

  const onToggle = (field: Field) => {
    setRefused(undefined)
    onChange(toggle(query, field.kind, field.name))
  }
  /** The API gives the reason: the page compiles the query with the field in it. */
  const onRefused = async (field: Field) => {
    setRefused({ name: field.name, why: 'It does not fit the selected fields.' })
    try {
      await compile({ model, query: add(query, field.kind, field.name) })
      onToggle(field)
    } catch (error) {
      setRefused({ name: field.name, why: problemOfError(error).detail })
    }
  }
  return (
    <section className="fields" aria-label="Fields" ref={panel}>
      <TextInput
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        placeholder={`Search ${fields.length} fields`}
        aria-label="Search fields"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          search === '' ? undefined : <CloseButton size="sm" aria-label="Clear the search" onClick={() => setSearch('')} />
        }
        onKeyDown={(event) => {
          if (event.key === 'Escape') setSearch('')
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          panel.current?.querySelector<HTMLElement>('[role=tree]')?.focus()
        }}
      />
      {/* Always there, so that the list does not move when it is known what fits. */}
      <label className="only-fitting">
        <input
          type="checkbox"
          disabled={unfit === 0 && !onlyFitting}
          checked={onlyFitting}
          onChange={(event) => setOnlyFitting(event.currentTarget.checked)}
        />
        {unfit === 0 ? 'Only what can be added' : `Only what can be added (${unfit} cannot)`}
      </label>
      <FieldTree {...{ groups, search, query, addable, onlyFitting, onToggle, onRefused }} />
      <div aria-live="polite">
        {refused !== undefined && (
          <div className="refused">
            <CloseButton size="sm" aria-label="Close" onClick={() => setRefused(undefined)} />
            <strong>{refused.name} cannot be added.</strong> {refused.why}
          </div>
        )}
      </div>
    </section>
  )
}
