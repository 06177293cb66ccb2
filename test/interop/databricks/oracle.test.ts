import t from 'tap'
import { ofEachKind, oracleOn } from '../suites.js'
import { openEngine } from './engine.js'

// It takes a third of a second for a statement: as many of each kind are asked as fit in a run, and more by ORACLE_CASES=250.
await oracleOn(t, openEngine, ofEachKind(50))
