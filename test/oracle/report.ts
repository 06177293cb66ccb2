/** A failing case for people: small, complete, and with all that is necessary to run it again. */
import type { Mismatch } from './compare.js'
import type { Case } from './generate/case.js'
import type { ModelJson } from './model.js'

export function report(title: string, { model, data, query }: Case, { kind, message, sql, expected, actual }: Mismatch): string {
  return [
    `── ${title} ── ${kind}: ${message}`,
    'model:',
    ...modelLines(model),
    'data:',
    ...Object.entries(data)
      .filter(([name, rows]) => model.dataObjects[name] && Array.isArray(rows))
      .flatMap(([name, rows]) => [
        `  ${name}: ${rows.length === 0 ? 'empty' : ''}`,
        ...rows.map((r) => `    ${JSON.stringify(r)}`),
      ]),
    `query: ${JSON.stringify(query)}`,
    `sql: ${sql}`,
    `expected:\n${indent(expected)}`,
    `actual:\n${indent(actual)}`,
  ].join('\n')
}

function modelLines({ dataObjects, ...rest }: ModelJson): string[] {
  const objects = Object.entries(dataObjects).flatMap(([name, { columns, ...object }]) => [
    `  ${name} ${JSON.stringify(object)}`,
    ...Object.entries(columns).map(([c, definition]) => `    ${c} ${JSON.stringify(definition)}`),
  ])
  const others = Object.entries(rest).flatMap(([key, value]) =>
    typeof value === 'object' && !Array.isArray(value)
      ? [`  ${key}:`, ...Object.entries(value).map(([n, v]) => `    ${n}: ${JSON.stringify(v)}`)]
      : [`  ${key}: ${JSON.stringify(value)}`],
  )
  return [...objects, ...others]
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((l) => `  ${l}`)
    .join('\n')
