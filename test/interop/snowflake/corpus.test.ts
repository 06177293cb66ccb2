import t from 'tap'
import { corpusOn } from '../suites.js'
import { openEngine } from './engine.js'

await corpusOn(t, openEngine, {
  'a computed column of text and one of JSON': 'fakesnow does not know the type of a JSON value',
  'declared types round the displayed column': 'fakesnow casts the DISTINCT of a sum with it',
  'a sum beyond 64 bits': 'fakesnow adds up in doubles',
})
