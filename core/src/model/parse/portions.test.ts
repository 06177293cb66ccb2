import t from 'tap'
import { addPortion, MOST_VALUES, portionsOf } from './portions.js'
import { setOwn } from './yaml.js'

const columns = (many: number) =>
  Object.fromEntries(Array.from({ length: many }, (_, i) => [`c${i}`, { code: `c${i}`, abstractType: 'int' }]))

/** The receiver gets a copy. */
function crossed(document: Readonly<Record<string, unknown>>) {
  const portions = [...portionsOf(document)].map((portion) => structuredClone(portion))
  // One value more than fits may be in it, with its contents.
  const largest = Math.max(...portions.map(({ entries }) => count(entries)))
  const whole: Record<string, unknown> = {}
  for (const portion of portions) addPortion(whole, portion)
  return { portions, largest, whole }
}

const count = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.values(value).reduce((sum: number, part) => sum + count(part), 1) : 1

t.test('a document with few objects of many columns is sent in small portions, and arrives complete and in order', async (t) => {
  const objects = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`O${i}`, { code: `t${i}`, columns: columns(9000) }]))
  const document = { version: 1, name: 'wide', dataObjects: objects, dimensions: { D: { dataObject: 'O1', column: 'c7' } } }
  const { portions, largest, whole } = crossed(document)
  t.equal(JSON.stringify(whole), JSON.stringify(document))
  t.ok(largest < MOST_VALUES + 10, `${largest} values in the largest of ${portions.length}`)
})

t.test('a section of many small entries is sent in portions, and a key may have any name', async (t) => {
  const document: Record<string, unknown> = { dataObjects: {} }
  const odd: Record<string, unknown> = columns(MOST_VALUES)
  setOwn(odd, '__proto__', { columns: columns(MOST_VALUES) })
  setOwn(document, '__proto__', odd)
  const { whole } = crossed(document)
  t.equal(JSON.stringify(whole), JSON.stringify(document))
  t.equal(Object.getPrototypeOf(whole), Object.prototype)
})

t.test('a small document is sent in one piece', async (t) => {
  t.same(crossed({ version: 1, dataObjects: columns(10) }).portions, [])
})
