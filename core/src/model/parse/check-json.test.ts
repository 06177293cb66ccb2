import t from 'tap'
import { checkJsonInSteps } from './read-text.js'

/** A document of a few million characters, in many small mappings. */
const wide = (items: number) => ({
  dataObjects: Object.fromEntries(Array.from({ length: items }, (_, at) => [`t${at}`, { code: 'x'.repeat(500) }])),
})

t.test('a large document is counted in steps', (t) => {
  for (const [items, code] of [
    [9000, undefined],
    [11_000, 'YAML_SAFETY_ERROR'],
  ] as const) {
    const document = wide(items)
    const steps = checkJsonInSteps(document, 20_000)
    let count = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) count++
    t.ok(count >= 20, `${count} steps of ${items} items`)
    t.equal(step.value?.code, code)
  }
  t.end()
})
