/** Fifty tenants ask the same questions through one key, at once, and each gets its own numbers. */
import t, { type Test } from 'tap'
import { build } from './app.js'
import { TENANTS } from './tables.js'

const USERS = TENANTS.flatMap((tenant) => [
  { name: `owner of ${tenant}`, password: `secret of ${tenant}`, tenant, isOwner: true },
  { name: `clerk of ${tenant}`, password: `secret of ${tenant}`, tenant, isOwner: false },
])

async function portalOf(t: Test) {
  const app = await build(USERS)
  t.teardown(() => app.close())
  await app.ready()
  const login = async (name: string, password: string) =>
    app.inject({ method: 'POST', url: '/login', payload: { name, password } })
  const asked = async (name: string) => {
    const tenant = name.slice(name.lastIndexOf(' ') + 1)
    const { token } = (await login(name, `secret of ${tenant}`)).json()
    return async (query: object) =>
      (await app.inject({ method: 'POST', url: '/numbers', headers: { 'x-portal-token': token }, payload: query })).json()
  }
  return { app, login, asked }
}

/** The rows of `tables.ts`, computed by hand. */
const orders = Array.from({ length: 5000 }, (_, i) => ({
  customer: i % 500,
  tenant: TENANTS[(i % 500) % 50]!,
  amount: ((i * 7) % 100) + 1,
  cost: (i * 3) % 40,
}))
const sumOf = (tenant: string, column: 'amount' | 'cost') =>
  orders.filter((order) => order.tenant === tenant).reduce((sum, order) => sum + order[column], 0)

const revenue = { select: { measures: ['Revenue'] } }

t.test('each tenant gets its own numbers, all of them at once', async (t) => {
  const { asked } = await portalOf(t)
  const answers = await Promise.all(
    TENANTS.map(async (tenant) => {
      const ask = await asked(`clerk of ${tenant}`)
      return [await ask(revenue), await ask({ select: { dimensions: ['Tenant'], measures: ['Revenue'] } })]
    }),
  )
  for (const [i, tenant] of TENANTS.entries()) {
    t.same(answers[i]?.[0].rows, [[sumOf(tenant, 'amount')]], tenant)
    t.same(answers[i]?.[1].rows, [[tenant, sumOf(tenant, 'amount')]], 'no other tenant has a row')
  }
})

t.test('a filter, raw rows and names show nothing of other tenants', async (t) => {
  const { asked } = await portalOf(t)
  const ask = await asked('clerk of tenant-07')
  t.same((await ask({ ...revenue, where: [{ field: 'Tenant', op: '=', value: 'tenant-08' }] })).rows, [[null]])
  const customers = (await ask({ select: { fields: ['Customers.Name', 'Customers.Tenant Id'] } })).rows
  t.equal(customers.length, 10)
  t.ok(customers.every(([, tenant]: [string, string]) => tenant === 'tenant-07'))
})

t.test('what orders cost is for owners', async (t) => {
  const { asked } = await portalOf(t)
  const margin = { select: { measures: ['Margin'] } }
  const expected = sumOf('tenant-01', 'amount') - sumOf('tenant-01', 'cost')
  t.same((await (await asked('owner of tenant-01'))(margin)).rows, [[expected]])
  const clerk = await asked('clerk of tenant-01')
  t.match(await clerk(margin), { code: 'UNKNOWN_MEASURE' })
  t.match(await clerk({ select: { fields: ['Orders.Cost'] } }), { code: 'RAW_FIELD_UNKNOWN_COLUMN' })
})

t.test('without a login, and without the key, nobody is answered', async (t) => {
  const { app, login } = await portalOf(t)
  t.equal((await login('clerk of tenant-01', 'guessed')).statusCode, 401)
  t.equal((await app.inject({ method: 'POST', url: '/numbers', payload: revenue })).statusCode, 401)
  const direct = { method: 'POST', url: '/semantic/v1/query/execute', payload: { query: revenue } } as const
  t.equal((await app.inject(direct)).statusCode, 401)
  const named = Buffer.from(JSON.stringify({ name: 'x', attributes: { tenant: 'tenant-01' } })).toString('base64')
  t.equal((await app.inject({ ...direct, headers: { 'x-on-behalf-of': named } })).statusCode, 401)
})
