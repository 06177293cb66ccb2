/**
 * `npm run load [-- fuzz|sessions|sessions-large|term|wire-… …] [--short]`: tests that take minutes and are not part of `npm test`. Each
 * prints a sentence with its figures, or ends the run with the error.
 */
import { everyHour } from './every-hour.js'
import { flightFuzz } from './flight-fuzz.js'
import { flightReaders } from './flight-readers.js'
import { fuzz } from './fuzz.js'
import { hostileConnections } from './hostile-connections.js'
import { hostileHour } from './hostile-hour.js'
import { mixed } from './mixed.js'
import { page } from './page.js'
import { aMillionOrders, sessions } from './sessions.js'
import { term } from './term.js'
import { wireClients } from './wire-clients.js'
import { wireFuzz } from './wire-fuzz.js'
import { wireGiants } from './wire-giants.js'

const short = process.argv.includes('--short')
const loads: Readonly<Record<string, () => Promise<string>>> = {
  'every-hour': () => everyHour(short ? 2 : 20),
  'flight-fuzz': () => flightFuzz(short ? 20_000 : 1_000_000, { first: Number(process.env.FIRST_PART ?? 1) }),
  'flight-readers': () => flightReaders(Number(process.env.SECONDS ?? (short ? 20 : 300))),
  fuzz: () => fuzz(short ? 5000 : 50_000),
  mixed: () => mixed(Number(process.env.MINUTES ?? (short ? 1 : 30))),
  page,
  sessions: async () => (await sessions(Number(process.env.SECONDS ?? (short ? 20 : 300)))).summary,
  'sessions-large': async () => (await sessions(short ? 20 : 300, aMillionOrders())).summary,
  'hostile-hour': () => hostileHour(Number(process.env.MINUTES ?? (short ? 1 : 60))),
  'hostile-connections': () => hostileConnections(Number(process.env.MINUTES ?? (short ? 1 : 30))),
  term,
  'wire-clients': () => wireClients(short ? 20 : 300),
  'wire-fuzz': () => wireFuzz(short ? 20_000 : 1_000_000),
  'wire-giants': () => wireGiants(short ? 10 : 60),
}

const wanted = process.argv.slice(2).filter((argument) => argument !== '--short')
for (const name of wanted.length > 0 ? wanted : Object.keys(loads)) {
  const load = loads[name]
  if (load === undefined) throw new Error(`no load ${name}; there are ${Object.keys(loads).join(', ')}`)
  console.log(`${name}: ${await load()}`)
}
