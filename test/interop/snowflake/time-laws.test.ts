import t from 'tap'
import { timeLawsOn } from '../time-laws-suite.js'
import { openEngine } from './engine.js'

await timeLawsOn(t, openEngine)
