import t from 'tap'
import { clickhouse } from './index.js'

t.test('a backslash in a name is a backslash', async (t) => t.equal(clickhouse.quote('a\\b'), '"a\\\\b"'))
