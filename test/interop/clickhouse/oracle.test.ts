import t from 'tap'
import { oracleOn } from '../suites.js'
import { openEngine } from './engine.js'

await oracleOn(t, openEngine)
// Here a day computed from a timestamp joins the key of a calendar.
await oracleOn(t, openEngine, [{ kinds: 'facts around a calendar', from: 0, count: 60 }])
