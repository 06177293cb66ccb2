import { mariadb } from '@grainline/dialect-mariadb'
import t from 'tap'
import { openEngine } from '../mysql/engine.js'
import { nestedOn } from '../nested.js'

await nestedOn(t, () => openEngine('mariadb', mariadb))
