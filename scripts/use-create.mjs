import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { servePacked } from './serve-packed.mjs'

/** `npm create grainline` from packed packages: a sample, and a model of the database `shop.duckdb` in the folder where they are installed. */
export async function useCreate(app) {
  const env = await withLinkedInstall(app)
  for (const [folder, args] of Object.entries({ sample: ['--sample'], own: ['--database', 'shop.duckdb'] })) {
    const bin = path.join(app, 'node_modules/create-grainline/bin.mjs')
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, folder, ...args], { cwd: app, env, encoding: 'utf8' })
    if (status !== 0 || !stdout.includes('its tests pass')) throw new Error(`create-grainline ${args}: ${stdout}${stderr}`)
    const project = path.join(app, folder)
    const { scripts } = JSON.parse(await readFile(path.join(project, 'package.json'), 'utf8'))
    await servePacked(project, {}, scripts.start.split(' ').slice(1))
    const model = await readFile(path.join(project, 'model.yaml'), 'utf8')
    const [, schema] = /^# yaml-language-server: \$schema=(.*)$/m.exec(model)
    JSON.parse(await readFile(path.join(project, schema), 'utf8'))
  }
}

/** An `npm` whose `install` links the installed packages: they are in no registry yet. */
async function withLinkedInstall(app) {
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  const folder = path.join(app, 'linked-npm')
  await mkdir(folder)
  const link = `ln -s ${JSON.stringify(path.join(app, 'node_modules'))} node_modules`
  await writeFile(
    path.join(folder, 'npm'),
    `#!/bin/sh\nif [ "$1" = install ]; then exec ${link}; fi\nexec ${JSON.stringify(npm)} "$@"\n`,
  )
  await chmod(path.join(folder, 'npm'), 0o755)
  return { ...process.env, PATH: `${folder}:${process.env.PATH}` }
}
