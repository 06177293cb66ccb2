import { SegmentedControl } from '@mantine/core'
import { FORM_TITLES, type Form, formsOf, isForm, placeOf } from '../query/forms.js'

interface Props {
  readonly form: Form
  readonly onForm: (form: Form) => void
}

/** Chooses among the forms of a place. It stands first in each place, and has no use where there is one form. */
export function FormSwitch({ form, onForm }: Props) {
  const forms = formsOf(placeOf(form))
  if (forms.length < 2) return null
  return (
    <SegmentedControl
      size="sm"
      className="form-switch"
      aria-label="Show as"
      data={forms.map((each) => ({ value: each, label: FORM_TITLES[each] }))}
      value={form}
      onChange={(chosen) => isForm(chosen) && onForm(chosen)}
    />
  )
}
