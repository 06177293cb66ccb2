import t from 'tap'
import { oracleOn } from '../suites.js'
import { openEngine } from './engine.js'

await oracleOn(t, openEngine)
