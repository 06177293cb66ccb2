import t from 'tap'
import { FORM_TITLES, formsOf, isForm, PLACE_NAMES, placeOf } from './forms.js'

t.test('each form is in one place, with a title', async (t) => {
  const forms = PLACE_NAMES.flatMap(formsOf)
  t.same(forms.toSorted(), Object.keys(FORM_TITLES).toSorted())
  for (const place of PLACE_NAMES) for (const form of formsOf(place)) t.equal(placeOf(form), place)
})

t.test('a link names a form, and no property of all objects', async (t) => {
  t.ok(isForm('pivot'))
  for (const none of ['toString', 'result', '', 7, null]) t.notOk(isForm(none))
})
