import t from 'tap'
import { clickhouse } from './index.js'

t.test('a backslash in a name is escaped', async (t) => t.equal(clickhouse.quote('a\\b'), '"a\\\\b"'))
