import { firstOf } from '../invariant.js'
import type { SettingReport } from '../settings/read-settings.js'

export type PluginStatus = 'starting' | 'loaded' | 'failed' | 'absent'

/** One plugin of the configuration: its source, whether it is loaded, and its registrations. */
export interface PluginReport {
  readonly name: string
  /** The entry in the config. */
  readonly package: string
  readonly version?: string
  /** The file that it was loaded from, or a description if there is no file. */
  readonly from: string
  readonly status: PluginStatus
  /** Why it was left out. */
  readonly error?: string
  /** With defaults, without secrets. */
  readonly options: unknown
  /** Milliseconds of its import, which runs in parallel with others, and of its setup. */
  readonly milliseconds: number
  /** The outer plugin of a nested one. */
  readonly parent?: string
}

/** The loaded plugins, their sources and their registrations. Safe to print: it contains no secret. */
export interface Inspection {
  readonly version: string
  readonly plugins: readonly PluginReport[]
  readonly points: Readonly<Record<string, readonly { readonly name: string; readonly owner: string }[]>>
  /** Routes that answer without a credential, by surface. */
  readonly open: Readonly<Record<string, readonly string[]>>
  readonly settings: readonly SettingReport[]
}

/** The inspection as text for a terminal, with the settings that are set. */
export function prettyPrint({ version, plugins, points, open, settings }: Inspection): string {
  const shown = plugins.map((plugin) => [
    `${'  '.repeat(depth(plugin, plugins))}${plugin.name}`,
    plugin.version ?? '',
    plugin.status,
    `${plugin.milliseconds.toFixed(1)} ms`,
    plugin.error ?? plugin.from,
  ])
  const set = settings
    .filter(({ origin }) => origin !== 'default')
    .map(({ name, value, origin }) => [name, show(value), `(${origin})`])
  const filled = Object.entries(points).filter(([, items]) => items.length > 0)
  return [
    `grainline ${version}`,
    ...section('Plugins', shown),
    ...section(
      'Extension points',
      filled.map(([point, items]) => [point, summary(items)]),
    ),
    ...section(
      'Open without a key',
      Object.entries(open).map(([surface, routes]) => [surface, routes.join(', ')]),
    ),
    ...section('Settings', set),
    '',
  ].join('\n')
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ['', title, ...table(rows)]
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = firstOf(rows).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd())
}

/** `a, b (owner); c (other)`, and a count if there are many. */
function summary(items: readonly { readonly name: string; readonly owner: string }[]): string {
  const owners = [...new Set(items.map(({ owner }) => owner))]
  return owners
    .map((owner) => {
      const names = items.filter((item) => item.owner === owner).map(({ name }) => name)
      return `${names.length > 12 ? `${names.length} names` : names.join(', ')} (${owner})`
    })
    .join('; ')
}

function depth(plugin: PluginReport, all: readonly PluginReport[]): number {
  const parent = all.find(({ name }) => name === plugin.parent)
  return parent === undefined ? 0 : 1 + depth(parent, all)
}

const show = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))
