import { mariadb } from '@grainline/dialect-mariadb'
import t from 'tap'
import { openEngine } from '../mysql/engine.js'
import { oracleOn } from '../suites.js'

await oracleOn(t, () => openEngine('mariadb', mariadb))
