import t from 'tap'
import { specialNumbersOn } from '../suites.js'
import { openEngine } from './engine.js'

await specialNumbersOn(t, openEngine)
