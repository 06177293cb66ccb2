/** Connections that attack every listener for so many minutes, in rounds: each ends with SIGTERM while the attacks go on. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../bench/measurement.js'
import { FLIGHT_BEGINNINGS, FLIGHT_FLOODS, FLIGHT_PREFACE, LOGIN, resetCalls, WIRE_FLOODS } from '../connections/floods.js'
import { helloOf } from '../connections/hello.js'
import { closeAtOnce, MANY, unfinished } from '../connections/misuse.js'
import { connections, portOf, type Raw, request } from '../connections/raw.js'
import { mostOfATurn } from '../longest-turn.js'
import { random as numbers } from '../rest/mutate.js'
import { flightHealth } from './flight-health.js'
import { flightsConfig } from './flights.js'
import { startWatched, startWatchedCommand, type WatchedServer, WIRES } from './server.js'

const MB = 1024 * 1024
const MOST_MEMORY = 1024 * MB
const MOST_HEALTH_MS = 100
/** The server waits 10 s for requests under way; the rest is for a busy machine. */
const MOST_END_MS = 60_000
const ROUND_MS = 150_000
/** Connections of earlier attacks that stay open. */
const KEPT = 400
/** Attacks between two measurements of turns. */
const WATCHED_EVERY = 20
const ATTACKERS = ['127.0.0.2', '127.0.0.3', '127.0.0.4']

/** The settings for a container of 1 GB from docs/threat-model.md. */
const SMALL = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-old-space-size=448' }

/** What an attack opened, and what of it is still open. */
interface Opened {
  readonly count: number
  readonly open: readonly Raw[]
}

type Attacks = Readonly<Record<string, (from: string) => Promise<Opened>>>

interface Served {
  readonly name: string
  readonly server: WatchedServer
  /** Requests of another client that need nothing, by their listener. */
  readonly probes: Readonly<Record<string, () => Promise<void>>>
  readonly attacks: Attacks
}

interface Figures {
  attacks: number
  /** Odd while one is under way. */
  measurements: number
  opened: number
  peak: number
  turn: number
  turnOf: string
  /** The limit of a turn: 50 ms, more while the machine is slower. */
  limit: number
  /** Of each listener. */
  readonly health: Map<string, number[]>
  readonly endsMs: number[]
}

/** Fails if a process stops, a probe is not answered, a limit does not hold, or a process does not end at SIGTERM. */
export async function hostileConnections(minutes: number, seed = 20261127): Promise<string> {
  const figures: Figures = {
    attacks: 0,
    measurements: 0,
    opened: 0,
    peak: 0,
    turn: 0,
    turnOf: '',
    limit: 50,
    health: new Map(),
    endsMs: [],
  }
  const random = numbers(seed)
  const rounds = Math.max(1, Math.round((minutes * 60_000) / ROUND_MS))
  for (let i = 0; i < rounds; i++) await round(figures, random, (minutes * 60_000) / rounds)
  const { attacks, opened, peak, turn, turnOf, limit, health, endsMs } = figures
  const probes = [...health].map(([name, times]) => {
    const sorted = times.toSorted((a, b) => a - b)
    const [p50 = 0, p99 = 0, most = 0] = [0.5, 0.99, 1].map((share) => percentile(sorted, share))
    return { p99, said: `${name} ${p50.toFixed(1)}, ${p99.toFixed(1)}, ${most.toFixed(1)} (${times.length} times)` }
  })
  const said = [
    `${minutes} minutes in ${rounds} rounds, seed ${seed}: ${attacks} attacks with ${opened} connections`,
    `probes took these ms of processor time (p50, p99, at most): ${probes.map((probe) => probe.said).join(', ')}`,
    `the longest turn took ${turn.toFixed(0)} ms of processor time, of at most ${limit.toFixed(0)} on this machine (${turnOf})`,
    `at most ${(peak / MB).toFixed(0)} MB for the three processes`,
    `${endsMs.length} processes ended at SIGTERM, after at most ${(Math.max(...endsMs) / 1000).toFixed(1)} s by the clock`,
  ].join('; ')
  if (turn > limit) throw new Error(`a turn was too long: ${said}`)
  if (probes.some(({ p99 }) => p99 > MOST_HEALTH_MS)) throw new Error(`probes were slow: ${said}`)
  if (peak > MOST_MEMORY) throw new Error(`too much memory: ${said}`)
  return said
}

async function round(figures: Figures, random: () => number, ms: number): Promise<void> {
  const served = await startAll()
  const kept: Raw[] = []
  const attack = async () => {
    const target = pick(served, random)
    const from = pick(ATTACKERS, random)
    const [name, open] = pick(Object.entries(target.attacks), random)
    const opened = await open(from).catch(failed(`${target.name}, ${name}`))
    kept.push(...opened.open)
    figures.attacks += 1
    figures.opened += opened.count
    for (const old of kept.splice(0, Math.max(0, kept.length - KEPT))) leave(old, random)
    return name
  }
  // Code is slow when it runs for the first time.
  for (const target of served)
    for (const open of Object.values(target.attacks)) for (const raw of (await open('127.0.0.9')).open) raw.socket.destroy()
  for (const { server } of served) await server.watch()
  const until = performance.now() + ms
  let over = false
  const probing = Promise.all(served.map((target) => probe(target, figures, () => over)))
  const names: string[] = []
  for (let i = 1; performance.now() < until; i++) {
    names.push(await attack())
    if (i % 5 === 0) figures.peak = Math.max(figures.peak, memoryOf(served))
    if (i % WATCHED_EVERY === 0) await watchAll(served, figures, names.splice(0))
  }
  await watchAll(served, figures, names)
  over = true
  await probing
  await endAll(served, figures, attack)
  for (const { socket } of kept) socket.destroy()
}

const memoryOf = (served: readonly Served[]) => served.reduce((sum, { server }) => sum + (server.memory() ?? 0), 0)

/** A measurement collects garbage, so that it is taken apart from the probes. */
async function watchAll(served: readonly Served[], figures: Figures, names: readonly string[]): Promise<void> {
  figures.measurements += 1
  figures.limit = Math.max(figures.limit, mostOfATurn())
  for (const { name, server } of served) {
    const { ownStallMs } = await server.watch()
    if (ownStallMs > figures.turn) Object.assign(figures, { turn: ownStallMs, turnOf: `${name}, after ${names.join('; ')}` })
  }
  figures.measurements += 1
}

/** SIGTERM while attacks go on. */
async function endAll(served: readonly Served[], figures: Figures, attack: () => Promise<unknown>): Promise<void> {
  let over = false
  const attacking = (async () => {
    while (!over) {
      await attack().catch(() => undefined)
      await sleep(10)
    }
  })()
  await Promise.all(
    served.map(async ({ name, server }) => {
      const began = performance.now()
      server.kill('SIGTERM')
      const code = await Promise.race([server.ended, sleep(MOST_END_MS, 'alive' as const, { ref: false })])
      if (code !== 0) throw new Error(`${name}: after SIGTERM: ${code}\n${server.log().slice(-2000)}`)
      figures.endsMs.push(performance.now() - began)
    }),
  )
  over = true
  await attacking
}

/** How much the thread of the server works while another client waits for an answer that needs nothing. */
async function probe({ server, probes }: Served, figures: Figures, over: () => boolean): Promise<void> {
  const file = `/proc/${server.pid}/task/${server.pid}/schedstat`
  const worked = () => Number(readFileSync(file, 'latin1').split(' ', 1)[0]) / 1e6
  while (!over()) {
    for (const [name, ask] of Object.entries(probes)) {
      const [before, measured] = [worked(), figures.measurements]
      await ask().catch(failed(`${name}: a probe was not answered`))
      const times = figures.health.get(name) ?? []
      figures.health.set(name, times)
      if (measured % 2 === 0 && measured === figures.measurements) times.push(worked() - before)
    }
    await sleep(20)
  }
}

const get = async (url: string): Promise<void> => {
  const { status } = await fetch(url)
  if (status !== 200) throw new Error(`${url} was answered with ${status}`)
}

async function startAll(): Promise<readonly Served[]> {
  const server = await startWatched({ ...SMALL, ...WIRES, DUCKDB_MEMORY_LIMIT: '256MB' }, flightsConfig)
  const [mcp, page] = await Promise.all([
    startWatchedCommand(['mcp'], {
      env: { ...SMALL, MCP_TRANSPORT: 'http', MCP_SERVER_PORT: '0', API_BASE_URL: server.url },
      listens: /(http:\S+)\/mcp/,
    }),
    startWatchedCommand(['ui', '--port', '0'], {
      env: { ...SMALL, API_BASE_URL: server.url },
      listens: /listens? on (http[^,]+), TLS/,
    }),
  ])
  const [wire, flight] = [await server.wire(), await server.flight()]
  const hello = await helloOf(['h2'])
  const [rest, agents, pages] = [
    { server, port: portOf(server.url), probe: '/health' },
    { server: mcp, port: portOf(mcp.url), probe: '/health' },
    { server: page, port: portOf(page.url), probe: '/ui/' },
  ]
  const all = {
    ...httpAttacks(rest, ['/health', '/openapi.json', '/nothing', '/v1/models'], '/v1/query/sql'),
    ...attacksOf(wire, { ...WIRE_FLOODS, login: LOGIN, nothing: '', 'half a login': LOGIN.subarray(0, 9) }, 'wire: '),
    ...attacksOf(flight, { ...FLIGHT_BEGINNINGS, ...FLIGHT_FLOODS, TLS: hello }, 'Flight: '),
    'Flight: reset calls': async () => {
      await resetCalls(flight)
      return { count: 1, open: [] }
    },
    ...closings({ ...rest, port: wire }, { 'wire: a login': LOGIN }),
    ...closings({ ...rest, port: flight }, { 'Flight: a preface': FLIGHT_PREFACE }),
  }
  return [
    { name: 'serve', server, probes: { REST: askOf(rest), 'Flight SQL': () => flightHealth(flight) }, attacks: all },
    { name: 'mcp', server: mcp, probes: { MCP: askOf(agents) }, attacks: httpAttacks(agents, ['/health', '/nothing'], '/mcp') },
    {
      name: 'ui',
      server: page,
      probes: { 'the page': askOf(pages) },
      attacks: httpAttacks(pages, ['/ui/', '/nothing'], '/ui/api/v1/validate'),
    },
  ]
}

interface Listener {
  readonly server: WatchedServer
  readonly port: number
  /** A path that is answered at once. */
  readonly probe: string
}

const askOf =
  ({ server, probe }: Pick<Listener, 'server' | 'probe'>) =>
  () =>
    get(server.url + probe)

function httpAttacks(listener: Listener, paths: readonly string[], post: string): Attacks {
  const { port, probe } = listener
  const texts = unfinished(probe, post)
  return {
    ...attacksOf(port, Object.fromEntries(paths.map((path) => [`${path}, never read`, request('GET', path).repeat(MANY)])), ''),
    ...attacksOf(port, texts, ''),
    ...closings(listener, { 'half a body': texts['half a body']!, 'an answered request': texts['an answered request']! }),
  }
}

/** Some connections that flood, or many that send little. */
const attacksOf = (port: number, texts: Readonly<Record<string, string | Uint8Array>>, prefix: string): Attacks =>
  Object.fromEntries(
    Object.entries(texts).map(([name, bytes]) => [
      prefix + name,
      async (from: string) => {
        const open = await connections(bytes.length > 5000 ? 4 : 60, port, bytes, { from })
        return { count: open.length, open }
      },
    ]),
  )

/** Many connections that send this and close at once. */
const closings = (listener: Listener, texts: Readonly<Record<string, string | Uint8Array>>): Attacks =>
  Object.fromEntries(
    Object.entries(texts).map(([name, bytes]) => [
      `${name}, all closed at once`,
      async (from: string) => {
        const { server, port } = listener
        return { count: await closeAtOnce(server, port, bytes, { from, ask: askOf(listener) }), open: [] }
      },
    ]),
  )

function leave({ socket }: Raw, random: () => number): void {
  if (random() < 0.5) socket.resetAndDestroy()
  else socket.destroy()
}

const failed =
  (what: string) =>
  (cause: unknown): never => {
    throw new Error(what, { cause })
  }

const pick = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)]!
