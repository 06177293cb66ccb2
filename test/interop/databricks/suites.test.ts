import t from 'tap'
import { calendarsOn } from '../calendar-suite.js'
import { nestedOn } from '../nested.js'
import { corpusOn, functionsOn, oracleOn, specialNumbersOn, suitesOn } from '../suites.js'
import { timeLawsOn } from '../time-laws-suite.js'
import { openEngine } from './engine.js'
import { valuesOn } from './values.js'
import { witness } from './witness.js'

await suitesOn(t, openEngine, {
  corpus: (t, open) => corpusOn(t, open, witness),
  functions: functionsOn,
  'nested arrays': nestedOn,
  values: valuesOn,
  calendars: calendarsOn,
  'special numbers': specialNumbersOn,
  'laws of time': (t, open) => timeLawsOn(t, open),
  'generated questions': (t, open) => oracleOn(t, open),
})
