import { mysql } from '@grainline/dialect-mysql'
import t from 'tap'
import { settingsOn } from './settings.js'
import { witness } from './witness.js'

await settingsOn(t, 'mysql', mysql, witness)
