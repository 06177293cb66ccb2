/** Answers as a table of Markdown, for notes and tickets: `?format=markdown`. */
import { definePlugin } from '@grainline/core'
import { type ResultFormat, valueAt } from '@grainline/core/format'

const cell = (value: unknown): string => (value === null ? '' : String(value).replaceAll('|', '\\|').replaceAll('\n', '<br>'))
const row = (values: readonly unknown[]): string => `| ${values.map(cell).join(' | ')} |\n`

export const markdown: ResultFormat = {
  name: 'markdown',
  mediaType: 'text/markdown; charset=utf-8',
  alsoKnownAs: [],
  async *encode({ schema, batches }) {
    yield Buffer.from(row(schema.map(({ name }) => name)) + row(schema.map(() => '---')))
    for await (const { columns, rowCount } of batches) {
      const lines = Array.from({ length: rowCount }, (_, at) =>
        row(columns.map((column, i) => valueAt(column, at, schema[i]!.type))),
      )
      yield Buffer.from(lines.join(''))
    }
  },
}

export default definePlugin({
  name: '@grainline/example-format',
  host: '^0.1.0',
  setup: (host) => host.encodings.register(markdown),
})
