import { mysql } from '@grainline/dialect-mysql'
import t from 'tap'
import { oracleOn } from '../suites.js'
import { openEngine } from './engine.js'

await oracleOn(t, () => openEngine('mysql', mysql))
