import t from 'tap'
import { timeLawsOn } from '../time-laws-suite.js'
import { openEngine } from './engine.js'

// A comparison of a running value with the columns of a table of days has more steps than its planner takes.
await timeLawsOn(t, openEngine, { isBeyond: ({ message }) => message.includes('TOO_MANY_QUERY_PLAN_OPTIMIZATIONS') })
