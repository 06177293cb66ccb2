import t from 'tap'
import { MAX_CHARACTERS } from './characters.js'
import { crowdOf } from './crowd-of-json.js'

const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}": 1`)}}`
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

const CROWDS: readonly (readonly [text: string, message: RegExp])[] = [
  [keys(101), /101 keys/],
  [`{"query": ${keys(10_001)}}`, /10001 keys/],
  [`{"a": {"model_json": ${keys(10_001)}}}`, /10001 keys/],
  [`{"model_json": {}, "query": ${keys(10_001)}}`, /10001 keys/],
  [`{"model_json": ${nested(201)}}`, /deeper than 200/],
  [`{"query": "${'x'.repeat(2 ** 20)}"}`, /Beside its model/],
  [`{"query": [${'1,'.repeat(2 ** 19)}1]}`, /Beside its model/],
  [`{"model_json": {"a": "${'x'.repeat(MAX_CHARACTERS)}"}}`, /model_json has more than the 5000000 characters/],
  [`{"modelJson": "${'x'.repeat(MAX_CHARACTERS + 1)}"}`, /modelJson has more/],
]
const FINE = [
  keys(100),
  `{"query": ${keys(10_000)}}`,
  `{"model_json": {"dimensions": ${keys(200_000)}}}`,
  `{"model_json": ${nested(200)}}`,
  `{"model_yaml": "${'x'.repeat(6_000_000)}", "extends": ["${'{'.repeat(300)}"]}`,
  `{"model_json": "${'x'.repeat(MAX_CHARACTERS)}"}`,
  `{"model_json": "${'\u{1f600}'.repeat(MAX_CHARACTERS)}"}`,
  `{"model_json": "${'\\u00e9'.repeat(MAX_CHARACTERS)}"}`,
  `{"query": "${'\\"{'.repeat(300)}", "a\\": [": 1}`,
  `{"query":${' '.repeat(3_000_000)}1}`,
  '{"open',
  ']]}}:,"',
  '',
]

t.test('a text that exceeds the limits is detected', async (t) => {
  for (const [text, message] of CROWDS) t.match(crowdOf(text)?.message, message, text.slice(0, 40))
})

t.test('a body within the limits is accepted, and so is text that is not JSON', async (t) => {
  for (const text of FINE) t.equal(crowdOf(text), undefined, text.slice(0, 40))
})
