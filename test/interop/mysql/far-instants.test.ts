import { mysql } from '@grainline/dialect-mysql'
import t from 'tap'
import { farInstantsOn } from '../far-instants-suite.js'
import { openEngine } from './engine.js'

await farInstantsOn(t, () => openEngine('mysql', mysql), ['2037-12-31 18:00:00', '3000-12-31 18:00:00', '9999-12-31 23:00:00'])
