import { mysql } from '@grainline/dialect-mysql'
import t from 'tap'
import { lastDaysOn } from '../calendar-suite.js'
import { openEngine } from './engine.js'

await lastDaysOn(t, () => openEngine('mysql', mysql))
