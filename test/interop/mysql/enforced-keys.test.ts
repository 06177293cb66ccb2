import t from 'tap'
import { enforcedKeysOn } from './enforced-keys.js'

await enforcedKeysOn(t, 'mysql')
