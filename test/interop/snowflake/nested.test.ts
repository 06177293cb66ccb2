import t from 'tap'
import { nestedOn } from '../nested.js'
import { openEngine } from './engine.js'

await nestedOn(t, openEngine, { 'fields of objects': 'fakesnow keeps the quotes of a text within JSON' })
