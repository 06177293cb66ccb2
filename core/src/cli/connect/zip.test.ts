import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { zipped } from './zip.js'

const READ = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(json.dumps([archive.testzip(), [[name, archive.read(name).decode()] for name in archive.namelist()]]))
`

t.test('another program reads the archive, with its names and checksums', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'grainline-zip-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const files = [
    { name: 'export/metadata.yaml', content: 'version: 1.0.0\n' },
    { name: 'export/ünïcode 🦆.yaml', content: 'a: ä\n'.repeat(5000) },
    { name: 'empty', content: '' },
  ]
  const file = path.join(folder, 'a.zip')
  writeFileSync(file, zipped(files))
  const { status, stdout, stderr, error } = spawnSync('python3', ['-c', READ, file], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONIOENCODING: 'utf8' },
  })
  if (error) t.pass('python3 is not installed')
  else {
    t.equal(status, 0, stderr)
    t.same(JSON.parse(stdout), [null, files.map(({ name, content }) => [name, content])])
  }
  t.end()
})
