import { build } from './app.js'
import { TENANTS } from './tables.js'

const users = TENANTS.map((tenant) => ({ name: `owner of ${tenant}`, password: tenant, tenant, isOwner: true }))
const app = await build(users, { logger: true })
await app.listen({ port: 3000 })
process.once('SIGTERM', () => void app.close())
