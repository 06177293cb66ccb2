import t from 'tap'
import { functionsOn } from '../suites.js'
import { openEngine } from './engine.js'

await functionsOn(t, openEngine)
