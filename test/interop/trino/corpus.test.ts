import t from 'tap'
import { corpusOn } from '../suites.js'
import { openEngine } from './engine.js'

await corpusOn(t, () => openEngine())
