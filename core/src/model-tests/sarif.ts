import type { TestOutcome } from './run-test.js'

export interface SarifOptions {
  /** The model file, relative to the folder of the call. */
  readonly file: string
  /** Version of the tool. */
  readonly version: string
  /** The line of each test in the file, 1-based, by its position in `tests`; `undefined` if the file does not contain it. */
  readonly lineOf: (index: number) => number | undefined
}

/** The failed tests as a SARIF 2.1.0 log. */
export function sarifReport(outcomes: readonly TestOutcome[], { file, version, lineOf }: SarifOptions): object {
  const results = outcomes
    .filter((outcome) => outcome.status !== 'passed')
    .map(({ name, index, status, differences }) => ({
      ruleId: RULES[status === 'failed' ? 0 : 1].id,
      level: 'error' as const,
      text: `${name}: ${differences.join('; ')}`,
      line: lineOf(index),
    }))
  return sarifLog(results, RULES, { file, version })
}

export interface SarifResult {
  readonly ruleId: string
  readonly level: 'error' | 'warning'
  readonly text: string
  readonly line: number | undefined
  readonly column?: number | undefined
}

/** Results about one file as a SARIF 2.1.0 log. */
export function sarifLog(
  results: readonly SarifResult[],
  rules: readonly object[],
  { file, version }: Omit<SarifOptions, 'lineOf'>,
): object {
  const artifactLocation = { uri: uriOf(file) }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'grainline', version, rules } },
        results: results.map(({ ruleId, level, text, line, column }) => {
          const region =
            line === undefined ? {} : { region: { startLine: line, ...(column !== undefined && { startColumn: column }) } }
          return { ruleId, level, message: { text }, locations: [{ physicalLocation: { artifactLocation, ...region } }] }
        }),
      },
    ],
  }
}

const RULES = [
  { id: 'model-test-failed', shortDescription: { text: 'The answer is not the one that the test of the model expects.' } },
  { id: 'model-test-error', shortDescription: { text: 'The question of the test could not be asked.' } },
] as const

/** A relative reference in the sense of RFC 3986, for any file name. */
const uriOf = (file: string): string =>
  file
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/')
