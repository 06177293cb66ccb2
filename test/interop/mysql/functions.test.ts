import { mysql } from '@grainline/dialect-mysql'
import t from 'tap'
import { functionsOn } from '../suites.js'
import { openEngine } from './engine.js'

await functionsOn(t, () => openEngine('mysql', mysql))
