import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const threads = fileURLToPath(new URL('../../config/threads.cjs', import.meta.url))

/** The output of a process that starts with the thread setting. */
function run(code: string, { cwd, env = {} }: { cwd: string; env?: Record<string, string> }): string {
  const args = ['--require', threads, '--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', code]
  return spawnSync(process.execPath, args, { cwd, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' }).stdout
}

t.test('there are four threads more than connections in the pool, unless the user set the number', async (t) => {
  const plain = t.testdir({})
  const show = 'process.stdout.write(process.env.UV_THREADPOOL_SIZE)'
  t.equal(run(show, { cwd: plain }), '9')
  t.equal(run(show, { cwd: plain, env: { DB_POOL_SIZE: '20' } }), '24')
  t.equal(run(show, { cwd: plain, env: { DB_POOL_SIZE: 'many' } }), '9')
  t.equal(run(show, { cwd: plain, env: { DB_POOL_SIZE: '20', UV_THREADPOOL_SIZE: '6' } }), '6')
})

t.test('a pool size in .env is used', async (t) => {
  const cwd = t.testdir({ '.env': 'DB_POOL_SIZE=7\n' })
  t.equal(run('process.stdout.write(process.env.UV_THREADPOOL_SIZE)', { cwd }), '11')
})

t.test(
  'the number is set before the first thread starts',
  { skip: process.platform === 'win32' && 'there is no mkfifo' },
  async (t) => {
    const cwd = t.testdir({})
    execFileSync('mkfifo', ['pipe'], { cwd })
    // Eight readers of a pipe without a writer block a thread each; the ninth thread answers. With fewer threads the program would hang.
    const code = (otherwise = '') => `
    import fs from 'node:fs'
    const end = (text) => { fs.writeSync(1, text); process.kill(process.pid, 'SIGKILL') }
    for (let i = 0; i < 8; i++) fs.open('pipe', 'r', () => {})
    fs.stat('.', () => end('answered'))
    ${otherwise}`
    t.equal(run(code(), { cwd }), 'answered')
    const given = "setTimeout(() => end('blocked'), 500)"
    t.equal(run(code(given), { cwd, env: { UV_THREADPOOL_SIZE: '8' } }), 'blocked')
  },
)

t.test('this version of Node can free memory outside of its heap at once', async (t) => {
  const garbage = fileURLToPath(new URL('../../config/garbage.cjs', import.meta.url))
  const { stderr, status } = spawnSync(process.execPath, ['--require', garbage, '--eval', ''], { encoding: 'utf8' })
  t.same({ stderr, status }, { stderr: '', status: 0 })
})
