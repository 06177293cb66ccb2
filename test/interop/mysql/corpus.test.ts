import { mysql } from '@grainline/dialect-mysql'
import t from 'tap'
import { corpusOn } from '../suites.js'
import { openEngine } from './engine.js'

await corpusOn(t, () => openEngine('mysql', mysql))
