import t from 'tap'
import { ofEachKind, oracleOn } from '../suites.js'
import { openEngine } from './engine.js'

// It reads a statement slowly: as many of each kind are asked as fit in a run, and 500 by ORACLE_CASES=500.
await oracleOn(t, openEngine, ofEachKind(250))
