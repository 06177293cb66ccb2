/**
 * A Fastify server with one route, which reads JSON and always returns the same answer. With `LOGS` it logs each request, as Fastify does
 * by default.
 */
import Fastify from 'fastify'

const answer = JSON.parse(process.env.ANSWER)
const app = Fastify({ logger: process.env.LOGS !== undefined })
app.post('/', async () => answer)
console.log(`bare listens on ${await app.listen({ port: 0 })}`)
