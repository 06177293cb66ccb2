/** A Fastify with one route, which reads JSON and answers the same each time. With `LOGS` it logs each request, as a Fastify does by itself. */
import Fastify from 'fastify'

const answer = JSON.parse(process.env.ANSWER)
const app = Fastify({ logger: process.env.LOGS !== undefined })
app.post('/', async () => answer)
console.log(`bare listens on ${await app.listen({ port: 0 })}`)
