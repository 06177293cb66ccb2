/** A Fastify with one route, which reads JSON and answers the same each time. */
import Fastify from 'fastify'

const answer = JSON.parse(process.env.ANSWER)
const app = Fastify()
app.post('/', async () => answer)
console.log(`bare listens on ${await app.listen({ port: 0 })}`)
