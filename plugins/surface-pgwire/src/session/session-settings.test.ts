import t from 'tap'
import { SessionSettings } from './session-settings.js'

t.test('a connection says whether rollup tables are read', async (t) => {
  const settings = new SessionSettings(() => undefined)
  t.equal(settings.rollups(), undefined, 'as the server is set')
  settings.set('Grainline.Rollups', 'REQUIRE', false)
  t.equal(settings.rollups(), 'require')
  t.throws(() => settings.set('grainline.rollups', 'sometimes', false), /invalid value/)
  const before = settings.snapshot()
  settings.set('grainline.rollups', 'never', true)
  t.equal(settings.rollups(), 'never')
  settings.restore(before)
  t.equal(settings.rollups(), 'require')
  settings.reset('grainline.rollups')
  t.equal(settings.rollups(), undefined)
})
