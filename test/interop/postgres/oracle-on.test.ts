/** The second half of the questions, beside the first. */
import t from 'tap'
import { oracleOn } from '../suites.js'
import { openEngine } from './engine.js'

await oracleOn(t, openEngine, [{ kinds: 'every kind of metric', from: 5000, count: 5000 }])
