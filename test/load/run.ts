/**
 * `npm run load [-- fuzz|sessions|term …] [--short]`: what takes minutes and is not part of `npm test`. Each prints a sentence with its figures,
 * or ends the run with what went wrong.
 */
import { fuzz } from './fuzz.js'
import { sessions } from './sessions.js'
import { term } from './term.js'

const short = process.argv.includes('--short')
const loads: Readonly<Record<string, () => Promise<string>>> = {
  fuzz: () => fuzz(short ? 5000 : 50_000),
  sessions: () => sessions(short ? 20 : 300),
  term,
}

const wanted = process.argv.slice(2).filter((argument) => argument !== '--short')
for (const name of wanted.length > 0 ? wanted : Object.keys(loads)) {
  const load = loads[name]
  if (load === undefined) throw new Error(`no load ${name}; there are ${Object.keys(loads).join(', ')}`)
  console.log(`${name}: ${await load()}`)
}
