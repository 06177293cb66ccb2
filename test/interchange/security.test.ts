/** A rule that decides who sees what is never inert: every format is refused with its place, on every way in, unless the rule is dropped by name. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createHost, definePlugin } from '@grainline/core'
import t from 'tap'
import { FORMATS } from './formats.js'

for (const { importer, texts, ruled } of FORMATS)
  t.test(`${importer.name}: a rule refuses the text`, async (t) => {
    const [text = ''] = texts
    const changed = ruled(text)
    t.not(changed, text, 'the text has a rule')
    const folder = t.testdir({})
    writeFileSync(path.join(folder, 'model'), changed)
    const plugins = [
      definePlugin({
        name: 'one',
        host: '*',
        setup: (host) => void (importer.name !== 'obml' && host.importers.register(importer)),
      }),
    ]
    const host = await createHost({ plugins, base: folder })
    t.teardown(() => host.close())
    const asked = { asker: undefined, model_yaml: changed, format: importer.name }
    const refusal = {
      code: 'IMPORT_FAILED',
      message: /decides who sees what|who sees|access/,
      line: Number,
      hint: /drop_security/,
    }
    await t.rejects(host.service.convert(asked), { code: 'MODEL_INVALID', details: { findings: [refusal] } }, 'POST /v1/convert')
    t.match(await host.service.validate(asked), { valid: false, errors: [refusal] }, 'a model that is sent')
    const { session_id: session } = await host.service.createSession({ metadata: {}, client: 'a', by: undefined })
    await t.rejects(host.service.loadModel(session, asked), { code: 'MODEL_INVALID' }, 'a model that is loaded')
    // `serve --from` sets the same.
    const served = await createHost({
      plugins,
      base: folder,
      settings: { MODEL_FILES: `${importer.name}:${path.join(folder, 'model')}` },
    })
    t.teardown(() => served.close())
    await t.rejects(served.start(), { message: /IMPORT_FAILED/ }, 'a model from a file')
    const { losses } = await host.service.convert({ ...asked, drop_security: true })
    t.ok(losses.some(({ kind, line }) => kind === 'refused' && line !== undefined))
  })
