import t from 'tap'
import { enforcedKeysOn } from '../mysql/enforced-keys.js'

await enforcedKeysOn(t, 'mariadb')
