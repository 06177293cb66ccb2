import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, messageOf } from '@grainline/core'
import type { KeyvStoreAdapter } from 'keyv'

/** A store of Keyv in the options of the plugin. */
export interface AdapterOptions {
  /** A package, or a file of a module. */
  readonly store: string
  /** The name of the class in the module; by default its default export. */
  readonly export?: string | undefined
  /** The first argument of its constructor. */
  readonly options?: unknown
}

type AdapterClass = new (options?: unknown) => KeyvStoreAdapter

/** The class of a store, from the folder of the configuration. */
export async function adapterClass({ store, export: name = 'default' }: AdapterOptions, base: string): Promise<AdapterClass> {
  const found = (await moduleOf(store, base))[name]
  if (isClass(found)) return found
  return fail('INVALID_OPTIONS', `'${store}' has no class '${name}', so it is no store of Keyv`, {
    path: 'export',
    hint: 'Name the exported class of the store in `export`.',
  })
}

async function moduleOf(store: string, base: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const file = createRequire(path.join(base, 'from-here.js')).resolve(store)
    const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href)
    // A CommonJS module is its default export.
    const { default: inner } = module
    return isClass(inner) || typeof inner !== 'object' ? module : { ...inner, ...module, default: defaultOf(inner) }
  } catch (cause) {
    return fail('INVALID_OPTIONS', `The store '${store}' of Keyv cannot be loaded: ${messageOf(cause)}`, {
      path: 'store',
      hint: `npm install ${store}`,
      cause,
    })
  }
}

const defaultOf = (module: object | null): unknown => (module !== null && 'default' in module ? module.default : undefined)

const isClass = (value: unknown): value is AdapterClass => typeof value === 'function'

/** Whether a store can list what is in it. */
export const canList = (adapter: object): adapter is Required<Pick<KeyvStoreAdapter, 'iterator'>> =>
  'iterator' in adapter && typeof adapter.iterator === 'function'
