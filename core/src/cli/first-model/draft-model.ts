import type { RunningHost } from '../../host/running-host.js'
import type { DraftedModel, DraftOptions } from './drafted-model.js'

/**
 * The text of a first model of the tables of a database, in YAML, as `grainline init` writes it: the tables that the connection of a vendor may read, the joins
 * that the rows or their declared keys prove, dimensions, measures and examples. The vendor is that of `DB_VENDOR`, unless another is named. Rejects with
 * `DATABASE_ERROR` if there are no tables, and `UNSUPPORTED_FEATURE` if the vendor cannot list them.
 */
export async function draftModel(
  host: Pick<RunningHost, 'vendors' | 'dialects' | 'functions' | 'aggregates' | 'logger' | 'settings'>,
  options: DraftOptions & { readonly vendor?: string } = {},
): Promise<string> {
  const { writeModel } = await import('./write-model.js')
  return writeModel(await modelDraft(host, options), undefined)
}

/** The first model over a connection, which is closed afterwards. */
export async function modelDraft(
  host: Parameters<typeof draftModel>[0],
  { vendor = host.settings.DB_VENDOR, ...options }: DraftOptions & { readonly vendor?: string },
): Promise<DraftedModel> {
  const { draftedModel } = await import('./drafted-model.js')
  const connection = await host.vendors.get(vendor).connect({ logger: host.logger, poolSize: 1 })
  try {
    return await draftedModel(host, vendor, connection, options)
  } finally {
    await connection.close()
  }
}
