import t from 'tap'
import type { LoadedPlugin } from './load.js'
import { orderPlugins } from './order.js'
import { definePlugin } from './plugin.js'

const plugin = (name: string, dependencies: readonly string[] = [], optional = false): LoadedPlugin => ({
  plugin: definePlugin({ name, host: '*', setup() {} }),
  meta: { name, host: '*', dependencies },
  options: undefined,
  optional,
  source: { package: name, from: name },
})

const ordered = (...loaded: readonly LoadedPlugin[]) => {
  const { loaded: found, failed } = orderPlugins({ loaded, failed: [], absent: [] })
  return { loaded: found.map(({ meta }) => meta.name), failed: failed.map(({ name }) => name) }
}

t.test('plugins boot in the order of the config, and a dependency before its dependent', async (t) => {
  t.same(ordered(plugin('a'), plugin('b')).loaded, ['a', 'b'])
  t.same(ordered(plugin('a', ['c']), plugin('b'), plugin('c', ['d']), plugin('d')).loaded, ['d', 'c', 'a', 'b'])
})

t.test('a cycle is refused with its path, a plugin that is listed twice by its name', async (t) => {
  t.throws(() => ordered(plugin('a', ['b']), plugin('b', ['c']), plugin('c', ['a'])), {
    code: 'PLUGIN_CYCLE',
    message: /a -> b -> c -> a/,
  })
  t.throws(() => ordered(plugin('a', ['a'])), { code: 'PLUGIN_CYCLE', message: /a -> a/ })
  t.throws(() => ordered(plugin('a'), plugin('a')), { code: 'DUPLICATE_PLUGIN' })
})

t.test('a missing dependency is refused with the nearest name', async (t) => {
  t.throws(() => ordered(plugin('a', ['dialect-duckbd']), plugin('dialect-duckdb')), {
    code: 'MISSING_DEPENDENCY',
    details: { suggestions: ['dialect-duckdb'] },
  })
})

t.test('an optional plugin without its dependency is skipped, and so are the optional plugins that need it', async (t) => {
  const found = ordered(plugin('a', ['missing'], true), plugin('b', ['a'], true), plugin('c'))
  t.same(found, { loaded: ['c'], failed: ['a', 'b'] })
  t.throws(() => ordered(plugin('a', ['missing'], true), plugin('b', ['a'])), {
    code: 'MISSING_DEPENDENCY',
    message: /b needs plugin a/,
  })
})
