import { createHost, definePlugin, flag, type GrainlineError, type HostPlugin, type Named, Type, text } from '@grainline/core'
import t from 'tap'
import { cache, hostOf, memoryLogger, NOBODY, plugin, refusalOf } from './support.js'

declare module '@grainline/core' {
  interface ExtensionPoints {
    greetings: Named & { readonly words: string }
  }
}

t.test('a plugin registers at typed extension points, and the host records the owner of each entry', async (t) => {
  const host = await hostOf({ plugins: [plugin('acme', (host) => host.caches.register(cache('shelf')))] })
  t.teardown(() => host.close())
  t.same(host.caches.names(), ['shelf'])
  t.equal(host.caches.get('shelf').name, 'shelf')
  t.same(host.inspect().points.caches, [{ name: 'shelf', owner: 'acme' }])
})

t.test('the core registers the portable functions and two authenticators at the same points', async (t) => {
  const host = await hostOf({ plugins: [] })
  t.teardown(() => host.close())
  t.same(host.authenticators.names(), ['none', 'api_key'])
  t.ok(host.functions.has('substring'))
  t.ok(host.aggregates.has('count_distinct'))
  t.same(host.inspect().points.authenticators, [
    { name: 'none', owner: '@grainline/core' },
    { name: 'api_key', owner: '@grainline/core' },
  ])
})

t.test('a third party adds its own extension point by declaration merging', async (t) => {
  const greet = plugin('greet', (host) => host.point('greetings').register({ name: 'hello', words: 'Hello.' }))
  const host = await hostOf({ plugins: [greet] })
  t.teardown(() => host.close())
  t.equal(host.point('greetings').get('hello').words, 'Hello.')
  t.same(host.inspect().points.greetings, [{ name: 'hello', owner: 'greet' }])
})

t.test('an unknown name is refused with the available names and the nearest one', async (t) => {
  const host = await hostOf({ plugins: [plugin('a', (host) => host.caches.register(cache('redis')))] })
  t.teardown(() => host.close())
  t.throws(() => host.caches.get('reddis'), {
    code: 'UNKNOWN_EXTENSION',
    message: /there: redis.*did you mean 'redis'/,
    details: { suggestions: ['redis'] },
  })
})

t.test('the error for a duplicate names both owners', async (t) => {
  const brings = (name: string) => plugin(name, (host) => host.caches.register(cache('shelf')))
  const refusal = await refusalOf({ plugins: [brings('one'), brings('two')] })
  t.match(refusal, { code: 'DUPLICATE_EXTENSION', message: /'shelf' is registered twice: by one and by two/ })
})

t.test('registries close when the host is ready', async (t) => {
  let late: () => void = () => t.fail('setup ran')
  const keeps = plugin('keeps', (host) => {
    late = () => host.caches.register(cache('late'))
  })
  const host = await hostOf({ plugins: [keeps] })
  t.teardown(() => host.close())
  t.throws(late, { code: 'REGISTRY_CLOSED', message: /keeps registers 'late' at caches/ })
  t.throws(
    () => host.point('greetings').register({ name: 'x', words: '' }),
    { code: 'REGISTRY_CLOSED' },
    'also a new extension point',
  )
})

t.test('options are validated and get defaults; errors name the plugin, the JSON pointer and the nearest option', async (t) => {
  const seen: unknown[] = []
  const schema = Type.Object(
    {
      schema: Type.String({ default: 'main' }),
      size: Type.Integer({ default: 2, minimum: 1 }),
      deep: Type.Optional(Type.Object({ path: Type.String() }, { additionalProperties: false })),
    },
    { additionalProperties: false },
  )
  const picky = definePlugin({ name: 'picky', host: '*', options: schema, setup: (_host, options) => void seen.push(options) })
  const host = await hostOf({ plugins: [{ use: picky, with: { size: 3 } }] })
  t.teardown(() => host.close())
  t.same(seen, [{ schema: 'main', size: 3 }])
  const refusal = await refusalOf({ plugins: [{ use: picky, with: { shema: 'x', size: 0, deep: { path: 'a', pth: 1 } } }] })
  t.match(refusal, {
    code: 'INVALID_OPTIONS',
    message: /Plugin picky has invalid options\n {2}\/shema: unknown option; did you mean 'schema'\?\n/,
  })
  t.match(refusal.message, /\/size: must be >= 1/)
  t.match(refusal.message, /\/deep\/pth: unknown option; did you mean 'path'\?/)
})

t.test('a plugin without an options schema accepts no options', async (t) => {
  const bare = definePlugin({ name: 'bare', host: '*', setup() {} })
  t.match(await refusalOf({ plugins: [{ use: bare, with: { colour: 'red' } }] }), {
    code: 'INVALID_OPTIONS',
    message: /bare takes no options.*colour/,
  })
})

t.test('dependencies determine the boot order, whatever the order of the config', async (t) => {
  const order: string[] = []
  const notes = (name: string, dependencies: string[] = []) => plugin(name, () => void order.push(name), { dependencies })
  const host = await hostOf({ plugins: [notes('roof', ['walls']), notes('walls', ['ground']), notes('ground')] })
  t.teardown(() => host.close())
  t.same(order, ['ground', 'walls', 'roof'])
})

t.test('a missing dependency, a cycle and a plugin that is listed twice are refused by name', async (t) => {
  t.match(await refusalOf({ plugins: [plugin('roof', undefined, { dependencies: ['wall'] }), plugin('walls')] }), {
    code: 'MISSING_DEPENDENCY',
    message: /roof needs plugin wall, which the config does not list; did you mean 'walls'/,
  })
  const circle = [plugin('a', undefined, { dependencies: ['b'] }), plugin('b', undefined, { dependencies: ['a'] })]
  t.match(await refusalOf({ plugins: circle }), { code: 'PLUGIN_CYCLE', message: /a -> b -> a/ })
  t.match(await refusalOf({ plugins: [plugin('a'), plugin('a')] }), { code: 'DUPLICATE_PLUGIN', message: /a is listed twice/ })
})

t.test('a plugin for another host version is refused', async (t) => {
  t.match(await refusalOf({ plugins: [plugin('future', undefined, { host: '^9' })] }), {
    code: 'HOST_VERSION',
    message: /future was written for host \^9/,
    details: { hint: /^Write host: '\^\d+\.\d+\.\d+' in its definePlugin/ },
  })
})

t.test('all missing packages are reported together, with one install command', async (t) => {
  const refusal = await refusalOf({ plugins: ['@grainline/no-such-one', 'no-such-two', plugin('fine')] })
  t.equal(refusal.code, 'PLUGIN_NOT_FOUND')
  t.match(refusal.message, /@grainline\/no-such-one is not installed/)
  t.match(refusal.message, /no-such-two is not installed/)
  t.equal(refusal.details.hint, 'npm install @grainline/no-such-one no-such-two')
})

t.test('presets are flattened and falsy entries are skipped', async (t) => {
  const host = await hostOf({
    plugins: [false, [plugin('one'), [plugin('two'), null]], undefined, '', { use: plugin('three'), enabled: false }],
  })
  t.teardown(() => host.close())
  t.same(
    host.inspect().plugins.map(({ name }) => name),
    ['@grainline/core', 'one', 'two'],
  )
})

t.test('an optional plugin that fails is removed with its registrations, and shown as failed', async (t) => {
  const { logger, at } = memoryLogger()
  const breaks = plugin('breaks', (host) => {
    host.caches.register(cache('half'))
    throw new Error('boom')
  })
  const host = await hostOf(
    { plugins: [{ use: breaks, optional: true }, { use: 'not-installed', optional: true }, plugin('fine')] },
    { logger },
  )
  t.teardown(() => host.close())
  t.same(host.caches.names(), [])
  const status = Object.fromEntries(
    host.inspect().plugins.map(({ name, status, error }) => [name, error === undefined ? status : [status, error]]),
  )
  t.match(status, {
    breaks: ['failed', /breaks failed to start: boom/],
    'not-installed': ['failed', /is not installed/],
    fine: 'loaded',
  })
  t.match(at('warn'), [/not-installed/, /boom/])
})

t.test(
  'a plugin that is not installed is left out where the entry says so, and an error that needs it shows the command',
  async (t) => {
    const { logger, at } = memoryLogger()
    const entry = (use: string) => ({ use, ifInstalled: true })
    const absent = ['@acme/vendor-quick', '@acme/cache-quick', '@acme/evaluator-quick'].map(entry)
    const host = await hostOf({ plugins: [...absent, plugin('fine')] }, { logger })
    t.teardown(() => host.close())
    t.match(
      host.inspect().plugins.find(({ name }) => name === '@acme/vendor-quick'),
      { status: 'absent', error: 'npm install @acme/vendor-quick' },
    )
    t.same(at('warn'), [])
    t.match(await refusalOf({ plugins: absent, settings: { CACHE_BACKEND: 'quick' } }), {
      code: 'INVALID_VARIABLE',
      message:
        /^CACHE_BACKEND is 'quick', whose plugin is not installed. Run npm install @acme\/cache-quick, or choose another: /,
    })
    t.match(await refusalOf({ plugins: absent, settings: { DB_VENDOR: 'quick', QUERY_EXECUTE: true } }), {
      message: /Run npm install @acme\/vendor-quick,/,
    })
    const folder = t.testdir({ 'broken.mjs': 'throw new Error("broken")' })
    t.match(
      await refusalOf({ plugins: [{ use: `${folder}/broken.mjs`, ifInstalled: true }] }),
      { code: 'PLUGIN_LOAD_FAILED' },
      'one that is installed and broken is refused',
    )
  },
)

t.test('a plugin that depends on a failed optional plugin is refused by name', async (t) => {
  const breaks = plugin('breaks', () => Promise.reject(new Error('boom')))
  const refusal = await refusalOf({
    plugins: [{ use: breaks, optional: true }, plugin('needs', undefined, { dependencies: ['breaks'] })],
  })
  t.match(refusal, { code: 'MISSING_DEPENDENCY', message: /needs needs plugin breaks, which is not loaded/ })
})

t.test('a nested plugin boots within its parent and fails with it', async (t) => {
  const child = plugin('child', (host) => {
    host.caches.register(cache('from child'))
    throw new Error('child broke')
  })
  const parent = plugin('parent', (host) => {
    host.caches.register(cache('from parent'))
    host.use(child)
  })
  const host = await hostOf({ plugins: [{ use: parent, optional: true }] })
  t.teardown(() => host.close())
  t.same(host.caches.names(), [])
  t.match(
    host.inspect().plugins.filter(({ name }) => name !== '@grainline/core'),
    [
      { name: 'parent', status: 'failed', error: /child broke/ },
      { name: 'child', status: 'failed', parent: 'parent' },
    ],
  )
  t.match(await refusalOf({ plugins: [parent] }), { code: 'PLUGIN_FAILED', message: /Plugin child failed to start: child broke/ })
})

t.test('a plugin whose setup takes too long is named', async (t) => {
  const hangs = plugin('hangs', () => new Promise<void>(() => {}))
  t.match(await refusalOf({ plugins: [hangs], pluginTimeoutMs: 20 }), {
    code: 'PLUGIN_FAILED',
    message: /Plugin hangs did not set up within 20 ms/,
  })
})

t.test('a failed optional plugin cannot register afterwards', async (t) => {
  let later: () => void = () => t.fail('setup ran')
  const slow = plugin('slow', (host) => {
    later = () => host.caches.register(cache('stale'))
    return new Promise<void>(() => {})
  })
  const after = plugin('after', () => void t.throws(later, { code: 'PLUGIN_FAILED', message: /slow was left out/ }))
  const host = await hostOf({ plugins: [{ use: slow, optional: true }, after], pluginTimeoutMs: 20 })
  t.teardown(() => host.close())
  t.same(host.caches.names(), [])
})

t.test('ready hooks run in boot order and close hooks in reverse, once', async (t) => {
  const seen: string[] = []
  const notes = (name: string, nested?: HostPlugin) =>
    plugin(name, (host) => {
      seen.push(`setup ${name}`)
      if (nested) host.use(nested)
      host.onReady(() => void seen.push(`ready ${name}`))
      host.onClose(() => void seen.push(`close ${name}`))
    })
  const host = await hostOf({ plugins: [notes('one', notes('one.child')), notes('two')] })
  await Promise.all([host.start(), host.start()])
  await Promise.all([host.close(), host.close()])
  t.same(seen, [
    'setup one',
    'setup one.child',
    'setup two',
    'ready one',
    'ready one.child',
    'ready two',
    'close two',
    'close one.child',
    'close one',
  ])
})

t.test('a failed boot closes everything that it opened', async (t) => {
  const closed: string[] = []
  const opens = plugin('opens', (host) => host.onClose(() => void closed.push('opens')))
  await refusalOf({ plugins: [opens, plugin('breaks', () => Promise.reject(new Error('boom')))] })
  t.same(closed, ['opens'])
})

t.test('closing continues after a step that hangs or fails, and logs it', async (t) => {
  const { logger, at } = memoryLogger()
  const closed: string[] = []
  const first = plugin('first', (host) => host.onClose(() => void closed.push('first')))
  const hangs = plugin('hangs', (host) => host.onClose(() => new Promise<void>(() => {})))
  const fails = plugin('fails', (host) => host.onClose(() => Promise.reject(new Error('stuck'))))
  const host = await hostOf({ plugins: [first, hangs, fails], closeTimeoutMs: 20 }, { logger })
  await host.close()
  t.same(closed, ['first'])
  t.match(at('error'), [/Plugin fails failed while closing/, /Plugin hangs did not close within 20 ms/])
})

t.test('socket surfaces start after the boot and stop before the plugins close', async (t) => {
  const seen: string[] = []
  const { logger, at } = memoryLogger()
  const surface = (name: string) =>
    plugin(`surface-${name}`, (host) => {
      host.onClose(() => void seen.push(`close ${name}`))
      host.surfaces.register({
        name,
        kind: 'socket',
        start: async (context) => {
          t.type(context.service.execute, 'function')
          t.same(await context.authenticate(undefined), { id: 'anonymous' })
          return { address: `${name}:1`, tls: name === 'b', stop: async () => void seen.push(`stop ${name}`) }
        },
      })
    })
  const host = await hostOf({ plugins: [surface('a'), surface('b')] }, { logger })
  await host.start()
  await host.close()
  t.same(
    seen,
    ['stop b', 'stop a', 'close surface-b', 'close surface-a'].map((line) => line.replace('surface-', '')),
  )
  t.match(at('info'), [/Surface a listens on a:1, TLS off/, /Surface b listens on b:1, TLS on/])
})

t.test('a plugin declares variables beside its options and reads them from host.settings', async (t) => {
  const seen: unknown[] = []
  const settings = {
    ACME_DATABASE: text({ default: ':memory:', means: 'Where.' }),
    ACME_READ_ONLY: flag({ default: false, means: 'Whether.' }),
  }
  const acme = definePlugin({
    name: 'acme',
    host: '*',
    settings,
    setup: ({ settings }) => void seen.push(settings.ACME_DATABASE, settings.ACME_READ_ONLY, settings.MAX_SESSIONS),
  })
  const environment = { process: { ACME_DATABASE: 'x.db' }, dotenv: { ACME_READ_ONLY: 'true' } }
  const host = await createHost({ plugins: [acme], settings: { MAX_SESSIONS: 3 } }, { environment })
  t.teardown(() => host.close())
  t.same(seen, ['x.db', true, 3])
  const refusal = await refusalOf({ plugins: [acme], settings: { ACME_READ_ONLY: 'perhaps', MAX_SESSIONS: 0 } })
  t.match(refusal, { code: 'INVALID_VARIABLE', message: /2 settings are refused\n.*MAX_SESSIONS.*\n.*ACME_READ_ONLY/ })
  t.match(await refusalOf({ plugins: [], settings: { ACME_READ_ONLY: true } }), {
    code: 'INVALID_CONFIG',
    message: /ACME_READ_ONLY, which is not a setting/,
  })
})

t.test('two plugins cannot declare one variable', async (t) => {
  const declares = (name: string) =>
    definePlugin({ name, host: '*', settings: { ACME_URL: text({ default: '', means: 'Where.' }) }, setup() {} })
  t.match(await refusalOf({ plugins: [declares('one'), declares('two')] }), {
    code: 'DUPLICATE_EXTENSION',
    message: 'Setting ACME_URL is declared twice: by one and by two',
  })
})

t.test('a plugin that implies execution turns it on', async (t) => {
  const fly = definePlugin({
    name: 'fly',
    host: '*',
    implies: ['execution'],
    setup: (host) =>
      host.vendors.register({ name: 'duckdb', dialect: 'duckdb', connect: () => Promise.reject(new Error('never')) }),
  })
  const host = await hostOf({ plugins: [fly] })
  t.teardown(() => host.close())
  t.equal(host.settings.QUERY_EXECUTE, true)
  t.match(
    host.inspect().settings.find(({ name }) => name === 'QUERY_EXECUTE'),
    { value: true, origin: 'implied' },
  )
})

t.test('settings that name an entry of a registry are refused with the available names', async (t) => {
  t.match(await refusalOf({ plugins: [], settings: { AUTH_MODE: 'api_keys' } }), {
    code: 'INVALID_VARIABLE',
    path: 'AUTH_MODE',
    message: /the loaded plugins offer none, api_key; did you mean 'api_key'/,
  })
  t.match(await refusalOf({ plugins: [], settings: { AUTH_MODE: 'jwt' } }), {
    path: 'AUTH_MODE',
    message: /offer none, api_key\. Tokens are read by @grainline\/auth-jwt: list it/,
  })
  t.match(await refusalOf({ plugins: [], settings: { CACHE_BACKEND: 'flie' } }), {
    code: 'INVALID_VARIABLE',
    path: 'CACHE_BACKEND',
  })
  t.match(await refusalOf({ plugins: [], settings: { QUERY_EXECUTE: true } }), {
    path: 'DB_VENDOR',
    message: /no loaded plugin offers any/,
  })
  t.match(
    await refusalOf({ plugins: [], settings: { DB_VENDOR: 'duckdb' } }),
    { path: 'DB_VENDOR' },
    'what somebody set must be there',
  )
})

t.test('an entry can be enabled by a setting, and by a variable that is set', async (t) => {
  const entries = [
    { use: plugin('flight'), enabled: 'FLIGHT_ENABLED' },
    { use: plugin('demo'), unless: ['ACME_URL', 'OTHER'] },
  ]
  const names = async (environment: Record<string, string>) => {
    const host = await createHost({ plugins: entries }, { environment: { process: environment, dotenv: {} } })
    await host.close()
    return host
      .inspect()
      .plugins.slice(1)
      .map(({ name }) => name)
  }
  t.same(await names({}), ['demo'])
  t.same(await names({ ACME_URL: 'x' }), [])
  t.match(await refusalOf({ plugins: [{ use: plugin('a'), enabled: 'FLIGHT_ENABLE' }] }), {
    code: 'INVALID_CONFIG',
    message: /FLIGHT_ENABLE is not a true-or-false setting; did you mean 'FLIGHT_ENABLED'/,
  })
})

t.test('an invalid config entry is refused', async (t) => {
  t.match(await refusalOf({ plugins: [{ with: {} } as never] }), { code: 'INVALID_CONFIG', message: /an object with 'use'/ })
  t.match(await refusalOf({ plugins: [{ use: plugin('a'), optionl: true } as never] }), {
    code: 'INVALID_CONFIG',
    message: /\/optionl: unknown option; did you mean 'optional'/,
  })
})

t.test('inspect and the printed page show options, times and owners, and no secret', async (t) => {
  const schema = Type.Object({
    url: Type.String(),
    pass: Type.String({ secret: true }),
    nested: Type.Object({ apiKey: Type.String() }),
  })
  const vault = definePlugin({ name: 'vault', host: '*', options: schema, setup: (host) => host.caches.register(cache('vault')) })
  const entry = { use: vault, with: { url: 'u', pass: 'hush', nested: { apiKey: 'hush' } } }
  const environment = { process: { HEARTBEAT_AUTH_TOKEN: 'hush', MAX_SESSIONS: '7' }, dotenv: {} }
  const host = await createHost({ plugins: [entry] }, { environment })
  t.teardown(() => host.close())
  t.match(host.inspect().plugins[1], {
    name: 'vault',
    from: '(inline)',
    status: 'loaded',
    options: { url: 'u', pass: '(secret)', nested: { apiKey: '(secret)' } },
    milliseconds: Number,
  })
  t.notMatch(JSON.stringify(host.inspect()), /hush/)
  const page = host.prettyPrint()
  t.match(page, /vault .*loaded .* ms/)
  t.match(page, /caches +vault \(vault\)/)
  t.match(page, /MAX_SESSIONS +7 +\(environment\)/)
  t.notMatch(page, /hush/)
})

t.test('definePlugin refuses invalid plugins, and keeps the metadata where fastify-plugin keeps them', async (t) => {
  t.throws(() => definePlugin({ name: '', host: '*', setup() {} }), { code: 'NOT_A_PLUGIN' })
  t.throws(() => definePlugin({ name: 'x', host: '*' } as never), { code: 'NOT_A_PLUGIN', message: /x has no setup/ })
  const made = definePlugin({ name: 'x', host: '^0.1.0', setup() {} }) as unknown as Record<symbol, unknown>
  t.match(made[Symbol.for('plugin-meta')], { name: 'x', host: '^0.1.0' })
})

t.test('one warning lists the variables that have no effect', async (t) => {
  const { logger, at } = memoryLogger()
  const host = await createHost(
    { plugins: [] },
    {
      logger,
      ignored: ['PORT', 'API_SERVER_PORT', 'API_TLS_CERT'],
      environment: { ...NOBODY, process: { PORT: 'x', API_TLS_CERT: 'c.pem' } },
    },
  )
  t.teardown(() => host.close())
  t.match(at('warn'), [/^PORT, API_TLS_CERT have no effect here/], 'and they are not validated')
  t.equal(at('warn').length, 1)
})

t.test('a host that was not started can be closed, and so can a host that failed to start', async (t) => {
  const fails = plugin('fails', (host) => host.onReady(() => Promise.reject(new Error('not today'))))
  const host = await hostOf({ plugins: [fails] })
  const refusal = (await host.start().catch((error: GrainlineError) => error)) as GrainlineError
  t.match(refusal, { code: 'PLUGIN_FAILED', message: /fails failed when the host became ready: not today/ })
  await host.close()
  await (await hostOf({ plugins: [] })).close()
})

const HOSTS_ALONE = ['start', 'reloadModels', 'reopenDatabases', 'checkPublished', 'warmUp', 'close']

t.test('a surface gets the service without the operations that only the host may use', async (t) => {
  const host = await hostOf({ plugins: ['@grainline/surface-rest'] })
  t.teardown(() => host.close())
  const [surface] = [...host.surfaces]
  const { service } = host.contextFor(surface!)
  for (const verb of HOSTS_ALONE) t.notOk(verb in service, verb)
  const missing = Object.keys(host.service).filter((name) => !HOSTS_ALONE.includes(name) && !(name in service))
  t.same(missing, [], 'and with everything else')
})
