/**
 * Two models, and two sets of data, that differ only in hidden fields are the same to everybody from whom these are hidden, at every door of the server's own lists,
 * and by near names, too. ACCESS_SEED and ACCESS_PAIRS select other generated pairs.
 */
import t, { type Test } from 'tap'
import { hashOf } from '../oracle/generate/random.js'
import { amount, oneIn, PART } from '../support/amount.js'
import { type Door, everyDoor, partOfDoors, type Seen } from './doors.js'
import { type HiddenShop, hiddenShop } from './hidden-shop.js'
import { servedShop } from './served.js'
import type { Who } from './shop.js'

const PLUGINS = [
  '@grainline/importer-dbt',
  '@grainline/evaluator-duckdb',
  '@grainline/surface-odata',
  '@grainline/mcp',
  '@grainline/surface-ui',
]

const served = (t: Test, { model, tables }: HiddenShop) =>
  servedShop(t, {
    model,
    tables,
    plugins: PLUGINS,
    settings: {
      EXPOSE_OPENAPI_SCHEMA: true,
      METRICS_ENABLED: true,
      HEARTBEAT_AUTH_TOKEN: 'beat-beat-beat-beat',
      SVC_API_KEY: 'svc_pat_north_0123456789abcdef0123456789abcdef',
    },
  })

/** The hash of a model says that something of it is different, and not what. */
const withoutHashes = (text: string): string =>
  text.replace(/^etag: .*$/m, 'etag').replace(/[0-9a-f]{64}|(?<=model shop )[0-9a-f]{12}/g, 'hash')

const HIDDEN = /hidden_[0-9a-f]{6}/

const around = (text: string, other: string): string => {
  const at = [...text].findIndex((character, i) => character !== other[i])
  return text.slice(Math.max(0, at - 100), at + 200)
}

function sameSeen(t: Test, who: Who, [one, other]: readonly [readonly Seen[], readonly Seen[]]): void {
  t.equal(one.length, other.length)
  for (const [i, { name, status, text }] of one.entries()) {
    const [here, there] = [withoutHashes(text), withoutHashes(other[i]?.text ?? '')]
    if (here !== there || status !== other[i]?.status)
      t.same(around(here, there), around(there, here), `${who}: ${name}: ${status}`)
    t.notMatch(here, name.includes('secretive') ? HIDDEN : /hidden_[0-9a-f]{6}|secretive/, `${who}: ${name}`)
  }
}

const seed = Number(process.env['ACCESS_SEED'] ?? 20261128 + PART)
const pairs = Number(process.env['ACCESS_PAIRS'] ?? amount(1, 100))

for (let i = 0; i < pairs; i++)
  t.test(`pair ${i} of models with hidden fields (ACCESS_SEED=${seed})`, async (t) => {
    const [one, other] = [hiddenShop(seed ^ hashOf(`a ${i}`)), hiddenShop(seed ^ hashOf(`b ${i}`))]
    t.not(one.model, other.model)
    const [a, b] = [await served(t, one), await served(t, other)]
    const isWanted = partOfDoors(a, 2)
    // By row policies and hidden fields, by hidden fields alone, and by nothing.
    for (const who of oneIn(2, ['north', 'auditor'] as const, PART >> 1))
      sameSeen(t, who, [await everyDoor(a, who, isWanted), await everyDoor(b, who, isWanted)])
    const { rows } = a
    t.same(await rows('auditor', { select: { measures: ['Kept Mean', 'Kept Sum'] } }), [[4, 12]])
    const names = ({ url }: Door) => /schema|find/.test(url)
    const [here, there] = [await everyDoor(a, 'ops', names), await everyDoor(b, 'ops', names)]
    t.ok(
      here.some(({ text }, at) => withoutHashes(text) !== withoutHashes(there[at]?.text ?? '')),
      'an administrator sees the difference',
    )
  })
