import t from 'tap'
import { lastDaysOn } from '../calendar-suite.js'
import { openEngine } from './engine.js'

await lastDaysOn(t, openEngine)
