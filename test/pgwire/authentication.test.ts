import { createHash } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { selfSigned } from '../host/certificate.js'
import { holds } from '../specification/holds.js'
import {
  ask,
  connectRaw,
  connectReady,
  cstring,
  errorOf,
  fieldsOf,
  message,
  type RawClient,
  rowsOf,
  SSL_REQUEST,
  scram,
  startup,
} from './raw-client.js'
import { type PgwireOptions, startPgwire } from './server.js'

const KEYS = ['first_key_0123456789abcdef0123456789abcdef', 'second_key_0123456789abcdef0123456789abcde']
const withKeys = { AUTH_MODE: 'api_key', API_KEYS: KEYS }
const quiet: PgwireOptions = { plugins: [], settings: { QUERY_EXECUTE: false } }

const folder = mkdtempSync(path.join(tmpdir(), 'grainline-pgwire-'))
function certificateFiles(name: string) {
  const { cert, key } = selfSigned()
  writeFileSync(path.join(folder, `${name}.crt`), cert)
  writeFileSync(path.join(folder, `${name}.key`), key)
  return { cert, PGWIRE_TLS_CERT: path.join(folder, `${name}.crt`), PGWIRE_TLS_KEY: path.join(folder, `${name}.key`) }
}
const server = certificateFiles('server')
const tlsFiles = { PGWIRE_TLS_CERT: server.PGWIRE_TLS_CERT, PGWIRE_TLS_KEY: server.PGWIRE_TLS_KEY }

/** The number of the authentication request after a startup message; 0 means that the client is admitted. */
async function demandOf(settings: Record<string, unknown>): Promise<number> {
  const running = await startPgwire({ ...quiet, settings: { ...quiet.settings, ...settings } })
  try {
    const client = await connectRaw(running.port)
    client.send(startup({ user: 'anybody' }))
    const first = await client.next()
    client.end()
    return first!.body.readInt32BE(0)
  } finally {
    await running.close()
  }
}

const refused = (settings: Record<string, unknown>) => startPgwire({ ...quiet, settings: { ...quiet.settings, ...settings } })
const [OK, CLEARTEXT, SASL] = [0, 3, 10]

t.test('without keys every client is admitted, by default and with trust', async (t) => {
  holds(t, 'pgwire.trust')
  t.equal(await demandOf({}), OK)
  t.equal(await demandOf({ PGWIRE_AUTH_MODE: 'trust' }), OK)
})

for (const mode of ['password', 'scram-sha-256']) {
  t.test(`without keys, ${mode} refuses to start`, async (t) => {
    await t.rejects(refused({ PGWIRE_AUTH_MODE: mode }), { code: 'INVALID_VARIABLE', path: 'PGWIRE_AUTH_MODE' })
  })
}

t.test('with keys the server requests SCRAM, whether nothing, trust or scram-sha-256 is set', async (t) => {
  holds(t, 'pgwire.scram')
  t.equal(await demandOf(withKeys), SASL)
  t.equal(await demandOf({ ...withKeys, PGWIRE_AUTH_MODE: 'trust' }), SASL)
  t.equal(await demandOf({ ...withKeys, PGWIRE_AUTH_MODE: 'scram-sha-256' }), SASL)
})

t.test('with keys and password the server requests the key in clear text', async (t) => {
  holds(t, 'pgwire.password')
  t.equal(await demandOf({ ...withKeys, PGWIRE_AUTH_MODE: 'password' }), CLEARTEXT)
})

t.test('over SCRAM', async (t) => {
  const running = await startPgwire({ ...quiet, settings: { ...quiet.settings, ...withKeys } })
  t.teardown(() => running.close())
  const begin = async (user: string): Promise<RawClient> => {
    const client = await connectRaw(running.port)
    client.send(startup({ user, database: 'flights' }))
    const offer = await client.next()
    t.equal(offer!.body.toString('latin1', 4), 'SCRAM-SHA-256\0\0', 'binding is offered only where there is something to bind to')
    return client
  }

  await t.test('each key is accepted, whatever the user name', async (t) => {
    holds(t, 'pgwire.scram')
    for (const [index, key] of KEYS.entries()) {
      const client = await begin(`user ${index}`)
      const last = await scram(client, key)
      t.equal(last!.body.readInt32BE(0), 0, 'AuthenticationOk')
      t.equal((await client.until('Z')).at(-1)?.type, 'Z')
      t.same(rowsOf(await ask(client, 'SELECT 1')), [['1']])
      client.end()
    }
  })

  await t.test('a wrong key is refused with a message that reveals nothing about the existing keys', async (t) => {
    const client = await begin('somebody')
    const refusal = fieldsOf((await scram(client, 'not_a_key_0123456789abcdef0123456789'))!)
    t.match(refusal, { S: 'FATAL', C: '28P01', M: 'password authentication failed for user "somebody"' })
    await client.closed()
  })

  await t.test('a proof cannot be used again', async (t) => {
    const one = await begin('x')
    one.send(message('p', cstring('SCRAM-SHA-256'), Buffer.from([0, 0, 0, 11]), Buffer.from('n,,n=,r=abc')))
    const first = (await one.next())!.body.toString('utf8', 4)
    const two = await begin('x')
    two.send(message('p', cstring('SCRAM-SHA-256'), Buffer.from([0, 0, 0, 11]), Buffer.from('n,,n=,r=abc')))
    t.not((await two.next())!.body.toString('utf8', 4), first, 'the server never says the same nonce twice')
    one.end()
    two.end()
  })

  await t.test('invalid SCRAM messages are a protocol violation', async (t) => {
    for (const text of ['', 'n,,', 'y,,n=,r=', 'p=tls-unique,,n=,r=abc', 'n,,m=ext,n=,r=abc', 'x'.repeat(5000)]) {
      const client = await begin('x')
      const first = Buffer.from(text)
      const length = Buffer.alloc(4)
      length.writeInt32BE(first.length)
      client.send(message('p', cstring('SCRAM-SHA-256'), length, first))
      t.equal(errorOf(await client.until('E')).C, '08P01', text.slice(0, 30))
      await client.closed()
    }
    const client = await begin('x')
    client.send(message('p', cstring('SCRAM-SHA-256-PLUS'), Buffer.from([0, 0, 0, 0])))
    t.equal(errorOf(await client.until('E')).C, '08P01', 'binding is not offered without TLS')
  })
})

t.test('a key in clear text', async (t) => {
  const running = await startPgwire({ ...quiet, settings: { ...quiet.settings, ...withKeys, PGWIRE_AUTH_MODE: 'password' } })
  t.teardown(() => running.close())
  const attempt = async (password: string) => {
    const client = await connectRaw(running.port)
    client.send(startup({ user: 'x', database: 'flights' }))
    await client.next()
    client.send(message('p', cstring(password)))
    const answer = await client.next()
    client.end()
    return answer!.type === 'E' ? fieldsOf(answer!).C : answer!.body.readInt32BE(0)
  }
  t.equal(await attempt(KEYS[1]!), 0)
  t.equal(await attempt('not_a_key_0123456789abcdef0123456789'), '28P01')
  t.equal(await attempt(''), '28P01')
})

t.test('over TLS', async (t) => {
  holds(t, 'pgwire.tls')
  const running = await startPgwire({ ...quiet, settings: { ...quiet.settings, ...withKeys, ...tlsFiles } })
  t.teardown(() => running.close())
  const der = Buffer.from(server.cert.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  const binding = createHash('sha256').update(der).digest()

  const secured = async () => {
    const client = await connectRaw(running.port)
    client.send(SSL_REQUEST)
    t.equal((await client.bytes(1)).toString(), 'S')
    await client.encrypt()
    client.send(startup({ user: 'x', database: 'flights' }))
    const offer = await client.next()
    t.equal(offer!.body.toString('latin1', 4), 'SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0')
    return client
  }

  await t.test('the exchange can be bound to the certificate (SCRAM-SHA-256-PLUS)', async (t) => {
    const client = await secured()
    const last = await scram(client, KEYS[0]!, { mechanism: 'SCRAM-SHA-256-PLUS', header: 'p=tls-server-end-point,,', binding })
    t.equal(last!.body.readInt32BE(0), 0)
    client.end()
  })

  await t.test('an exchange bound to another certificate fails', async (t) => {
    const client = await secured()
    const other = createHash('sha256').update('somebody in between').digest()
    const last = await scram(client, KEYS[0]!, {
      mechanism: 'SCRAM-SHA-256-PLUS',
      header: 'p=tls-server-end-point,,',
      binding: other,
    })
    t.equal(fieldsOf(last!).C, '28P01')
    client.end()
  })

  await t.test('a client that supports binding and saw no offer of it is refused', async (t) => {
    const client = await secured()
    t.equal(fieldsOf((await scram(client, KEYS[0]!, { header: 'y,,' }))!).C, '08P01')
    client.end()
  })

  await t.test('direct TLS is accepted with ALPN, and refused without', async (t) => {
    const client = await connectRaw(running.port)
    await client.encrypt({ ALPNProtocols: ['postgresql'] })
    client.send(startup({ user: 'x' }))
    t.equal((await client.next())!.type, 'R')
    client.end()
    const other = await connectRaw(running.port)
    await other.encrypt().catch(() => {})
    other.send(startup({ user: 'x' }))
    t.notMatch((await other.next())?.type, 'R')
    await other.closed()
  })

  await t.test('bytes after the SSL request are refused (CVE-2021-23222)', async (t) => {
    const client = await connectRaw(running.port)
    client.send(SSL_REQUEST, startup({ user: 'x' }))
    t.equal(errorOf(await client.until('E')).C, '08P01')
    await client.closed()
  })

  await t.test('a renewed certificate is used for the next client, and an invalid one is not', async (t) => {
    const fingerprint = async () => {
      const client = await connectRaw(running.port)
      client.send(SSL_REQUEST)
      await client.bytes(1)
      await client.encrypt()
      const { getPeerX509Certificate } = client.socket as unknown as { getPeerX509Certificate(): { fingerprint256: string } }
      const found = getPeerX509Certificate.call(client.socket).fingerprint256
      client.end()
      return found
    }
    const before = await fingerprint()
    certificateFiles('server')
    running.reload()
    const after = await fingerprint()
    t.not(after, before)
    writeFileSync(tlsFiles.PGWIRE_TLS_CERT, 'no certificate')
    t.throws(() => running.reload())
    t.equal(await fingerprint(), after)
  })
})

t.test('with a client authority', async (t) => {
  holds(t, 'pgwire.tls')
  const files = certificateFiles('mutual')
  const client = selfSigned()
  writeFileSync(path.join(folder, 'client.crt'), client.cert)
  const running = await startPgwire({
    ...quiet,
    settings: {
      ...quiet.settings,
      PGWIRE_TLS_CERT: files.PGWIRE_TLS_CERT,
      PGWIRE_TLS_KEY: files.PGWIRE_TLS_KEY,
      PGWIRE_TLS_CLIENT_CA: path.join(folder, 'client.crt'),
    },
  })
  t.teardown(() => running.close())

  await t.test('a client with a certificate of the authority is admitted', async (t) => {
    const raw = await connectRaw(running.port)
    raw.send(SSL_REQUEST)
    await raw.bytes(1)
    await raw.encrypt({ cert: client.cert, key: client.key })
    raw.send(startup({ user: 'x' }))
    t.equal((await raw.next())!.type, 'R')
    raw.end()
  })

  await t.test('clients without a certificate, or with one of another authority, are refused', async (t) => {
    const stranger = selfSigned()
    for (const options of [{}, { cert: stranger.cert, key: stranger.key }]) {
      const raw = await connectRaw(running.port)
      raw.send(SSL_REQUEST)
      await raw.bytes(1)
      await raw.encrypt(options).catch(() => {})
      raw.send(startup({ user: 'x' }))
      t.notMatch((await raw.next())?.type, 'R')
      await raw.closed()
    }
  })

  await t.test('a connection without TLS is refused', async (t) => {
    const raw = await connectRaw(running.port)
    raw.send(startup({ user: 'x' }))
    t.equal(errorOf(await raw.until('E')).C, '28000')
    await raw.closed()
  })
})

t.test(
  'with PGWIRE_TLS_REQUIRED a connection without TLS is refused, and one with TLS needs no client certificate',
  async (t) => {
    const files = certificateFiles('required')
    const tls = { PGWIRE_TLS_CERT: files.PGWIRE_TLS_CERT, PGWIRE_TLS_KEY: files.PGWIRE_TLS_KEY, PGWIRE_TLS_REQUIRED: true }
    const running = await startPgwire({ ...quiet, settings: { ...quiet.settings, ...tls } })
    t.teardown(() => running.close())
    const plain = await connectRaw(running.port)
    plain.send(startup({ user: 'x' }))
    t.match(errorOf(await plain.until('E')), { C: '28000', M: 'connection requires TLS' })
    await plain.closed()
    const raw = await connectRaw(running.port)
    raw.send(SSL_REQUEST)
    t.equal((await raw.bytes(1)).toString(), 'S')
    await raw.encrypt()
    raw.send(startup({ user: 'x' }))
    t.equal((await raw.until('Z')).at(-1)?.type, 'Z')
    raw.end()
    const without = startPgwire({ ...quiet, settings: { ...quiet.settings, PGWIRE_TLS_REQUIRED: true } })
    await t.rejects(without, { code: 'INVALID_VARIABLE', message: /PGWIRE_TLS_CERT/ })
  },
)

t.test('without a certificate, encryption is declined, and the client can continue', async (t) => {
  holds(t, 'pgwire.no-tls')
  const running = await startPgwire(quiet)
  t.teardown(() => running.close())
  const client = await connectRaw(running.port)
  client.send(SSL_REQUEST)
  t.equal((await client.bytes(1)).toString(), 'N')
  client.send(startup({ user: 'x' }))
  t.equal((await client.until('Z')).at(-1)?.type, 'Z')
  client.end()
  const direct = await connectRaw(running.port)
  await t.rejects(direct.encrypt({ ALPNProtocols: ['postgresql'] }))
  const again = await connectReady(running.port)
  t.same(rowsOf(await ask(again, 'SELECT 1')), [['1']], 'others are served all the same')
  again.end()
})
