import t from 'tap'
import { nestedOn } from '../nested.js'
import { openEngine } from './engine.js'

await nestedOn(t, openEngine)
