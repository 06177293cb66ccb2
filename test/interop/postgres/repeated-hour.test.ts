import t from 'tap'
import { repeatedHourOn } from '../suites.js'
import { openEngine } from './engine.js'

await repeatedHourOn(t, openEngine)
