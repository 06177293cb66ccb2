import { mariadb } from '@grainline/dialect-mariadb'
import t from 'tap'
import { openEngine } from '../mysql/engine.js'
import { functionsOn } from '../suites.js'

await functionsOn(t, () => openEngine('mariadb', mariadb))
