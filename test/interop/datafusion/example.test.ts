import t from 'tap'
import { corpusOn, functionsOn, ofEachKind, oracleOn } from '../suites.js'
import { openEngine } from './engine.js'
import { witness } from './witness.js'

await t.test('the corpus', (t) => corpusOn(t, openEngine, witness))
await t.test('the functions', (t) => functionsOn(t, openEngine))
// An example gets a few seconds of a run; 500 of each kind by ORACLE_CASES=500.
await t.test('generated questions', (t) => oracleOn(t, openEngine, ofEachKind(40)))
