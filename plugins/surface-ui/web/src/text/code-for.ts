/** The question as a program of another kind, to be copied. */
import type { Query } from '../query/query.js'

export const CODE_KINDS = ['curl', 'Python', 'TypeScript', 'REST', 'SQL'] as const
export type CodeKind = (typeof CODE_KINDS)[number]

export interface Asked {
  /** The address of the API, without a slash at its end. */
  readonly address: string
  readonly session: string
  readonly model: string
  readonly query: Query
  /** The server wants a key. */
  readonly needsKey: boolean
  /** For the model's own database; absent until it is compiled. */
  readonly sql: string | undefined
}

export function codeFor(kind: CodeKind, asked: Asked): string {
  switch (kind) {
    case 'curl':
      return curl(asked)
    case 'Python':
      return python(asked)
    case 'TypeScript':
      return typescript(asked)
    case 'REST':
      return rest(asked)
    case 'SQL':
      return asked.sql ?? ''
  }
}

const pathOf = ({ session }: Asked): string => `/v1/sessions/${encodeURIComponent(session)}/query/execute`
const bodyOf = ({ model, query }: Asked) => ({ model_id: model, query })

/** A quote inside of quotes ends them, adds itself, and begins them again. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const curl = (asked: Asked): string =>
  [
    `curl -X POST ${quoted(`${asked.address}${pathOf(asked)}`)}`,
    ...(asked.needsKey ? [`-H "Authorization: Bearer $GRAINLINE_API_KEY"`] : []),
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(bodyOf(asked), null, 2))}`,
  ].join(' \\\n  ')

const rest = (asked: Asked): string =>
  [
    `POST ${pathOf(asked)} HTTP/1.1`,
    `Host: ${new URL(asked.address).host}`,
    ...(asked.needsKey ? ['Authorization: Bearer <your key>'] : []),
    'Content-Type: application/json',
    '',
    JSON.stringify(bodyOf(asked), null, 2),
  ].join('\n')

function python(asked: Asked): string {
  const headers = asked.needsKey ? `    headers={"Authorization": "Bearer " + os.environ["GRAINLINE_API_KEY"]},\n` : ''
  return `${asked.needsKey ? 'import os\n\n' : ''}import requests

answer = requests.post(
    ${JSON.stringify(`${asked.address}${pathOf(asked)}`)},
${headers}    json=${pythonOf(bodyOf(asked), 1)},
)
answer.raise_for_status()
rows = answer.json()["rows"]
`
}

/** JSON in the words of Python. */
function pythonOf(value: unknown, depth: number): string {
  const [inside, end] = ['    '.repeat(depth + 1), '    '.repeat(depth)]
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map((each) => pythonOf(each, depth)).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{\n${entries.map(([key, each]) => `${inside}${JSON.stringify(key)}: ${pythonOf(each, depth + 1)},\n`).join('')}${end}}`
}

function typescript({ address, session, model, query, needsKey }: Asked): string {
  const options = [
    `baseUrl: ${JSON.stringify(address)}`,
    ...(needsKey ? ['apiKey: process.env.GRAINLINE_API_KEY'] : []),
    `model: { session_id: ${JSON.stringify(session)}, model_id: ${JSON.stringify(model)} }`,
  ]
  return `import { createClient } from '@grainline/client'

const client = createClient({
${options.map((option) => `  ${option},\n`).join('')}})
const answer = await client.query(${JSON.stringify(query, null, 2)})
console.table(answer.rows)
`
}
