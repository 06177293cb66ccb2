// An error that nothing catches belongs to the innermost test that is running. To find that test, tap follows each promise and each timer from
// where it was made, which is a tenth of the processor time of all tests. The tests of a process run one after another, so that tap knows it, too.
import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

hooks.createHook = () => ({ enable: () => undefined, disable: () => undefined })
// For modules that import it by name, of which tap is one.
syncBuiltinESMExports()
const { default: tap } = await import('tap')
// Without a limit, the suites of a group have none of their own either: the least of them would be that of the whole process.
if (process.env.TAP_TIMEOUT === '0') tap.setTimeout = () => undefined

function running(test) {
  const [inner] = test.activeSubtests ?? []
  return inner === undefined ? test : running(inner)
}

for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => running(tap).hookDomain.onerror(error, event))
