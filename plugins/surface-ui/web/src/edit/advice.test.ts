import t from 'tap'
import { adviceOf } from './advice.js'

const sound = {
  data_objects: 3,
  joins: 2,
  orphan_data_objects: [],
  fan_trap_risks: [],
  unreachable_dimensions: [],
  warnings_count: 0,
}

t.test('each weakness has a description and advice', async (t) => {
  t.same(adviceOf(sound), [])
  const risk = { tables: ['Orders', 'Lines'], reason: 'One row meets many', suggested_pattern: 'Mark the key' }
  t.match(adviceOf({ ...sound, orphan_data_objects: ['Notes'], fan_trap_risks: [risk], unreachable_dimensions: ['Word'] }), [
    { says: 'One row meets many.', todo: 'Mark the key.' },
    { says: /^Notes has no joins/, todo: /^Add a join from or to Notes/ },
    { says: /by Word\.$/, todo: /the object of Word/ },
  ])
})
