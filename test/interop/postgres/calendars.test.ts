import t from 'tap'
import { calendarsOn } from '../calendar-suite.js'
import { openEngine } from './engine.js'

await calendarsOn(t, openEngine)
