import { columnsNamedIn } from '../discovery/columns-named-in.js'
import { fail, GrainlineError } from '../errors.js'
import { installCommand } from '../install-command.js'
import type { Evaluator } from '../language/evaluator.js'
import type { Language, Program, Reading } from '../language/language.js'
import type { DataType } from '../model/data-type.js'
import { nearest } from '../nearest.js'
import type { ResultSchema } from '../result/record-batch.js'
import { type AskedModel, askedModel } from './asked-model.js'
import { clientOf } from './asking.js'
import { catalogueOf } from './catalogue.js'
import { KeptReadings, type ReadStatement } from './kept-readings.js'
import type { Models } from './models.js'
import type { ServiceDeps } from './service-deps.js'
import type { SqlRequest } from './sql-service.js'

/** Finds the meaning of statements with the loaded languages. */
export class StatementReader {
  readonly #readings: KeptReadings
  readonly #catalogue: ReturnType<typeof catalogueOf>

  constructor(
    private readonly deps: ServiceDeps,
    private readonly models: Pick<Models, 'modelReach'>,
  ) {
    const { COMPILE_CACHE_MAX_ENTRIES, COMPILE_CACHE_MAX_BYTES, COMPILE_CACHE_MAX_ENTRY_BYTES } = deps.settings
    this.#catalogue = catalogueOf(deps)
    this.#readings = new KeptReadings({
      maxEntries: COMPILE_CACHE_MAX_ENTRIES,
      maxBytes: COMPILE_CACHE_MAX_BYTES / SHARE_OF_READINGS,
      maxEntryBytes: COMPILE_CACHE_MAX_ENTRY_BYTES,
    })
  }

  /** The meaning of a statement; `defaultLimit` is that of an outer statement without its own. */
  read(request: SqlRequest, defaultLimit?: number): Promise<ReadStatement> {
    const { sql: text, tree, target, asker, parameters = [] } = request
    const { models, chosen } = this.models.modelReach(target, asker?.principal)
    const named = models.map(askedModel)
    const scope = { models: named, chosen: named.find(({ handle }) => handle.modelId === chosen?.modelId) }
    const language = this.languageOf(request.language)
    return this.#readings.get({ language: language.name, text, scope, parameters, defaultLimit }, this.deps.now(), async (now) =>
      this.withProgram(
        await language.read({ text, tree, scope, parameters, now, client: clientOf(asker), ...this.#catalogue() }),
        defaultLimit,
      ),
    )
  }

  withProgram(reading: Reading<AskedModel>, defaultLimit?: number): ReadStatement {
    if (reading.kind !== 'outer') return reading
    if (this.deps.settings.SEMANTIC_QL_STRICT)
      unsupported('Only a single SELECT from one model is supported here, with plain dimensions and measures')
    return { kind: 'outer', program: reading.program({ evaluator: this.evaluator(), defaultLimit }) }
  }

  /** The program of a statement that an evaluator answers. */
  programOf(statement: ReadStatement, defaultLimit?: number): Program<AskedModel> | undefined {
    if (statement.kind === 'catalogue') return statement.evaluated?.program({ evaluator: this.evaluator(), defaultLimit })
    if (statement.kind !== 'outer') return undefined
    const { program } = statement
    if (program.modelQueries.length === 0) unsupported('The statement reads no model')
    return program
  }

  evaluator(): Evaluator {
    const [first] = this.deps.evaluators
    if (first !== undefined) return first
    const install = installCommand(this.deps.absent ?? [], 'evaluator')
    const message = 'No evaluator of outer statements is loaded, so only one SELECT from one model is supported'
    return unsupported(install === undefined ? message : `${message}; to add one: ${install}`)
  }

  /** A language by its name, or else the first. Throws `INVALID_REQUEST` with the loaded names. */
  languageOf(name: string | undefined): Language {
    const { languages } = this.deps
    if (name !== undefined) return languages.has(name) ? languages.get(name) : noLanguage(name, languages.names())
    const [first] = languages
    return (
      first ?? unsupported('No language of statements is loaded; add a plugin that registers one, such as @grainline/semantic-ql')
    )
  }

  parameterTypes({ sql, language, target, asker }: SqlRequest): Promise<readonly DataType[]> {
    return this.languageOf(language).parameterTypes(sql, () => this.#columnsOf(sql, target, asker), clientOf(asker))
  }

  /** The columns of the available models. */
  async #columnsOf(text: string, target: SqlRequest['target'], asker: SqlRequest['asker']): Promise<ResultSchema> {
    const { models } = this.models.modelReach(target, asker?.principal)
    return (await Promise.all(models.map(({ model }) => columnsNamedIn(text, model, this.#catalogue())))).flat()
  }
}

/** The part of the memory of compiled queries that kept readings of statements may take in addition. */
const SHARE_OF_READINGS = 8

function noLanguage(name: string, loaded: readonly string[]): never {
  const close = nearest(name, loaded)
  throw new GrainlineError('INVALID_REQUEST', `Language '${name.slice(0, 60)}' is not loaded; loaded are ${loaded.join(', ')}`, {
    path: 'language',
    suggestions: close.length > 0 ? close : loaded,
  })
}

function unsupported(message: string): never {
  return fail('UNSUPPORTED_SQL_FEATURE', message, { path: 'sql', context: { clause: 'statement' } })
}
