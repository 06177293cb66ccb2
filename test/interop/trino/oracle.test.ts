import t from 'tap'
import { ofEachKind, oracleOn } from '../suites.js'
import { LOADED, openEngine } from './engine.js'

// It plans a statement slowly: as many of each kind are asked as fit in a run, and 500 by ORACLE_CASES=500.
await oracleOn(t, () => openEngine(LOADED.views), ofEachKind(100))
