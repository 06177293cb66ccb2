import t from 'tap'
import { oracleOn } from '../suites.js'
import { openEngine } from './engine.js'

await oracleOn(t, openEngine, [
  { kinds: 'the straight language', from: 0, count: 500 },
  { kinds: 'every kind of metric', from: 0, count: 5000 },
])
