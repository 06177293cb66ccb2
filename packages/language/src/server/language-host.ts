import { createHost, lookup, readConfig, readEnvironment } from '@grainline/core'
import type { Finding, Language } from '../knowledge.js'

/** Checks the models of an editor. */
export interface LanguageHost {
  readonly language: Language
  check(file: string, source: string): Promise<readonly Finding[]>
  close(): Promise<void>
}

/** The plugins of a config, without a server and without models. */
export async function openLanguageHost(configFile: string): Promise<LanguageHost> {
  const environment = readEnvironment({ dotenv: process.cwd() })
  const config = await readConfig(configFile, (name) => lookup(environment, name))
  const host = await createHost({ ...config, preload: [] }, { environment, ignored: ['MODEL_FILES'] })
  return {
    language: host.service.modelLanguage(),
    async check(file, source) {
      const { errors, warnings } = await host.service.validateFile({ file, source })
      return [...errors, ...warnings]
    },
    close: () => host.close(),
  }
}
