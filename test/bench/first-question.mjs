/**
 * Prints the processor time of the first compilation of this process, in milliseconds; with the argument `warm`, after the warm-up of a
 * server.
 */
import { readFileSync } from 'node:fs'
import { createHost } from '@grainline/core'
import duckdb from '@grainline/dialect-duckdb'

// Without examples and tests, which are compiled when the model is loaded.
const model = readFileSync(new URL('../../examples/flights/model.yaml', import.meta.url), 'utf8').split(/^examples:/m)[0]
const { service, close } = await createHost({ plugins: [duckdb] }, { environment: { process: {}, dotenv: {} } })
if (process.argv[2] === 'warm') await service.warmUp()
const { session_id: sessionId } = await service.createSession({ metadata: {}, client: 'bench', by: undefined })
const { modelId } = await service.loadModel(sessionId, { model_yaml: model })
const select = { dimensions: ['Origin Airport', 'Airline'], measures: ['Flight Count', 'Average Departure Delay'] }
const began = process.cpuUsage()
await service.compile({ target: { sessionId, modelId }, query: { select }, checked: false })
const { user, system } = process.cpuUsage(began)
console.log((user + system) / 1000)
await close()
