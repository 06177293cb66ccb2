import { Select, TextInput } from '@mantine/core'
import { type Compare, KINDS, kindOf, ofKind, SAYS, UNITS } from './comparison.js'

interface Props {
  readonly time: string
  readonly compare: Compare | undefined
  /** Without a range of days there is nothing to move. */
  readonly disabled: boolean
  readonly onChange: (compare: Compare | undefined) => void
}

const DIGITS = 4

/** With what the chosen days are compared. */
export function ComparePicker({ time, compare, disabled, onChange }: Props) {
  const kind = kindOf(compare)
  return (
    <>
      <Select
        label="Compare with"
        size="xs"
        mt="xs"
        allowDeselect={false}
        disabled={disabled}
        comboboxProps={{ withinPortal: false }}
        data={KINDS.map((value) => ({ value, label: SAYS[value] }))}
        value={kind}
        onChange={(value) => onChange(ofKind(KINDS.find((each) => each === value) ?? 'none', time))}
        {...(disabled && { description: 'Choose the days first.' })}
      />
      {kind === 'custom' && compare !== undefined && (
        <div className="spans">
          <TextInput
            size="xs"
            label="How many"
            inputMode="numeric"
            maxLength={DIGITS}
            value={compare.count ?? 1}
            onChange={(event) => {
              const count = Number(event.currentTarget.value.replace(/\D/g, ''))
              if (count > 0) onChange({ ...compare, count })
            }}
          />
          <Select
            size="xs"
            label="Unit"
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            data={[...new Set<string>([...UNITS, compare.unit])]}
            value={compare.unit}
            onChange={(unit) => unit !== null && onChange({ ...compare, unit })}
          />
        </div>
      )}
    </>
  )
}
