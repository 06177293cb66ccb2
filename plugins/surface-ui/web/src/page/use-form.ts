import { useCallback, useState } from 'react'
import { type Form, formsOf, type Place, placeOf } from '../query/forms.js'

interface Shown {
  readonly form: Form
  /** The form that each visited place had last: a place that is opened again looks as it was left. */
  readonly last: Readonly<Partial<Record<Place, Form>>>
}

/** The form in which the page shows the query. */
export function useForm(start: Form) {
  const [{ form }, setShown] = useState<Shown>(() => showing({ form: start, last: {} }, start))
  const setForm = useCallback((next: Form) => setShown((now) => showing(now, next)), [])
  const openPlace = useCallback((place: Place) => setShown((now) => opening(now, place)), [])
  // A run does not take away the draft of a model from a user who compares with it.
  const showResult = useCallback(() => setShown((now) => (now.form === 'model' ? now : opening(now, 'result'))), [])
  return { form, setForm, openPlace, showResult }
}

const showing = ({ last }: Shown, form: Form): Shown => ({ form, last: { ...last, [placeOf(form)]: form } })

const opening = (now: Shown, place: Place): Shown => showing(now, now.last[place] ?? formsOf(place)[0] ?? now.form)
