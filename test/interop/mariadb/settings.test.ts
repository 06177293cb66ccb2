import { mariadb } from '@grainline/dialect-mariadb'
import t from 'tap'
import { settingsOn } from '../mysql/settings.js'
import { witness } from './witness.js'

await settingsOn(t, 'mariadb', mariadb, witness)
