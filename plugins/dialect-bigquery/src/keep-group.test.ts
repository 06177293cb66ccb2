import t from 'tap'
import { keepGroup } from './keep-group.js'

t.test('only one group of a regular expression captures', async (t) => {
  t.equal(keepGroup("'([a-z]+)-([0-9]+)'", 2), "'(?:[a-z]+)-([0-9]+)'")
  t.equal(keepGroup("'([a-z]+)-([0-9]+)'", 0), "'(?:[a-z]+)-(?:[0-9]+)'")
  t.equal(keepGroup("'(?P<a>x)(?:y)(?<b>z)'", 2), "'(?:x)(?:y)(z)'")
  t.equal(keepGroup("'\\\\([(](a)'", 1), "'\\\\([(](a)'", 'an escaped sign and a class of signs are no group')
  t.equal(keepGroup("'\\\\\\\\(a)[]()](b)'", 0), "'\\\\\\\\(?:a)[]()](?:b)'")
})
