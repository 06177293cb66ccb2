import t from 'tap'
import { bytesOfSize } from './available-memory.js'

t.test('sizes are parsed with their units, and what is no size is no limit', async (t) => {
  t.same(['256MB', '1 GiB', '0.5kb', '80%'].map(bytesOfSize), [256e6, 2 ** 30, 500, Number.POSITIVE_INFINITY])
})
