import { mariadb } from '@grainline/dialect-mariadb'
import t from 'tap'
import { lastDaysOn } from '../calendar-suite.js'
import { openEngine } from '../mysql/engine.js'

await lastDaysOn(t, () => openEngine('mariadb', mariadb))
