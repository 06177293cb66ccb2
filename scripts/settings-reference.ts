/** The table of settings as a page and as an `.env` file: the variables of core and of the plugins in this repository. */
import { readdir } from 'node:fs/promises'
import { type HostPlugin, metaOf, type Variable, type Variables } from '@grainline/core'
import { page, row } from '../core/src/reference/markdown.js'
import { variableGroups } from '../core/src/settings/core-variables.js'

const plugins = new URL('../plugins/', import.meta.url)

export async function settingsPage(): Promise<string> {
  const sections = Object.entries(await groups()).flatMap(([group, variables]) => [
    `## ${group}`,
    '',
    row('Variable', 'Default', 'Must be', 'Meaning'),
    row('---', '---', '---', '---'),
    ...Object.entries(variables).map(([name, variable]) =>
      row(`\`${name}\``, shown(variable), variable.rule, `${variable.means}${variable.secret ? ' A secret.' : ''}`),
    ),
    '',
  ])
  return page(
    'Settings',
    'Every setting is an environment variable. The first of these that has it decides: the environment, `.env` in the working directory,',
    '`settings` of the config file, the default. Unknown variables in the environment are ignored. The server does not start with an invalid',
    'value, or with an unknown name in the config file.',
    '',
    ...sections,
  )
}

export async function environmentFile(): Promise<string> {
  const sections = Object.entries(await groups()).map(([group, variables]) => {
    const entries = Object.entries(variables).map(
      ([name, variable]) => `# ${variable.means} (${variable.rule})\n# ${name}=${text(variable.default)}\n`,
    )
    return [`## ${group}\n`, ...entries].join('\n')
  })
  const head = '# All settings with their defaults. Copy this file to .env, and remove the # from the lines that you change.\n'
  return `${[head, ...sections].join('\n')}`
}

async function groups(): Promise<Record<string, Variables>> {
  const declared: Record<string, Variables> = {}
  for (const folder of (await readdir(plugins)).toSorted()) {
    const module: { readonly default?: HostPlugin } = await import(new URL(`${folder}/src/index.ts`, plugins).href)
    const settings = metaOf(module.default)?.settings
    if (settings !== undefined) declared[`Plugin ${folder}`] = settings
  }
  return { ...variableGroups, ...declared }
}

function shown(variable: Variable): string {
  if (variable.default === undefined) return 'unset'
  const value = text(variable.default)
  return value === '' ? 'empty' : `\`${value}\``
}

const text = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value ?? ''))
