/** The flights from New York City in 2013, as on the demo of a server. */
const TABLES = ['flights', 'airlines', 'airports', 'planes', 'weather', 'hours']

export const exampleFiles = TABLES.map((name) => ({ name, file: `example/${name}.parquet` }))
export const exampleModel = 'example/model.yaml'
