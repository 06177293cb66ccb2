import t from 'tap'
import { oracleOn, suitesOn } from '../suites.js'
import { openEngine } from './engine.js'

await suitesOn(t, openEngine, {
  'questions of each kind': oracleOn,
  'a day computed from a timestamp joins the key of a calendar': (t, open) =>
    oracleOn(t, open, [{ kinds: 'facts around a calendar', from: 0, count: 60 }]),
})
