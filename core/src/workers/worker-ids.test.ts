import t from 'tap'
import { idOfWorker, workerOfId } from './worker-ids.js'

t.test('an id contains its worker and is a random UUID of version 4', async (t) => {
  for (const worker of [1, 2, 15, 16, 255, 4095]) {
    const ids = Array.from({ length: 50 }, () => idOfWorker(worker))
    t.equal(new Set(ids).size, ids.length)
    for (const id of ids) {
      t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      t.equal(workerOfId(id), worker)
      t.equal(workerOfId(id.toUpperCase()), worker)
    }
  }
})

t.test('other ids name no worker', async (t) => {
  const id = idOfWorker(7)
  for (const other of ['', 'flights', id.slice(1), `${id}0`, id.replaceAll('-', ''), `x${id.slice(1)}`])
    t.equal(workerOfId(other), undefined, other)
})
