import { mysql } from '@grainline/dialect-mysql'
import t from 'tap'
import { nestedOn } from '../nested.js'
import { openEngine } from './engine.js'

await nestedOn(t, () => openEngine('mysql', mysql))
