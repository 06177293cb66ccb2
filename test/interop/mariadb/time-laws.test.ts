import { mariadb } from '@grainline/dialect-mariadb'
import t from 'tap'
import { openEngine } from '../mysql/engine.js'
import { timeLawsOn } from '../time-laws-suite.js'

// It joins the days of a table row by row, for minutes.
await timeLawsOn(t, () => openEngine('mariadb', mariadb), { leavesOut: /table|columns that tell/, parts: 3 })
