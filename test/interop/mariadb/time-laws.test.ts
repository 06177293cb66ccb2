import { mariadb } from '@grainline/dialect-mariadb'
import t from 'tap'
import { openEngine } from '../mysql/engine.js'
import { timeLawsOn } from '../time-laws-suite.js'

await timeLawsOn(t, () => openEngine('mariadb', mariadb))
