import t from 'tap'
import { corpusOn } from '../suites.js'
import { openEngine } from './engine.js'
import { witness } from './witness.js'

await corpusOn(t, () => openEngine(), witness)
