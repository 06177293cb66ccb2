import { mariadb } from '@grainline/dialect-mariadb'
import t from 'tap'
import { openEngine } from '../mysql/engine.js'
import { corpusOn } from '../suites.js'
import { witness } from './witness.js'

await corpusOn(t, () => openEngine('mariadb', mariadb), witness)
