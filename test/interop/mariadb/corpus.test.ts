import { mariadb } from '@grainline/dialect-mariadb'
import t from 'tap'
import { openEngine } from '../mysql/engine.js'
import { corpusOn } from '../suites.js'

await corpusOn(t, () => openEngine('mariadb', mariadb))
