import { build } from './app.js'

const app = await build('shop_pat_0123456789abcdef0123456789abcdef01234567', { logger: true })
await app.listen({ port: 3000 })
process.once('SIGTERM', () => void app.close())
