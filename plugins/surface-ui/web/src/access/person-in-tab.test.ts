/** Who asks in a tab: what is kept of them, and what is emptied when somebody else comes. */
import t from 'tap'
import { personInTab } from './person-in-tab.js'

const ann = { id: 'ann', name: 'ann', roles: ['sales', 'hr'] }
const bob = { id: 'bob', name: 'bob', roles: [] }

/** The storage of a tab: what is stored are its own properties, as in a browser. */
function storage(kept: Record<string, string> = {}): Storage {
  const methods = {
    getItem: (name: string) => kept[name] ?? null,
    setItem: (name: string, value: string) => void Object.assign(kept, { [name]: value }),
    removeItem: (name: string) => void Reflect.deleteProperty(kept, name),
  }
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(kept, name, { value })
  return kept as unknown as Storage
}

t.test('a key is kept for the tab, until its person signs out', async (t) => {
  const tab = storage({ 'other.app': 'stays' })
  const first = personInTab(() => tab)
  t.equal(first.credential(), undefined)
  first.signInWith('key of ann')
  t.ok(first.isSamePerson(ann), 'nobody was here before')
  tab.setItem('grainline.session', 'hers')
  const reloaded = personInTab(() => tab)
  t.equal(reloaded.credential(), 'key of ann')
  t.ok(reloaded.isSamePerson({ ...ann, roles: ['hr', 'sales'] }), 'in whatever order her roles come')
  reloaded.forgetPerson()
  t.strictSame({ ...tab }, { 'other.app': 'stays' })
  t.equal(reloaded.ofPerson(), '@ann', 'a page that is left stores its drafts for her')
  t.equal(personInTab(() => tab).credential(), undefined)
})

t.test('somebody else finds nothing of the person before', async (t) => {
  for (const other of [bob, { ...ann, roles: ['sales'] }]) {
    const tab = storage()
    const page = personInTab(() => tab)
    page.isSamePerson(ann)
    tab.setItem('grainline.session', 'hers')
    tab.setItem('grainline.source.m1', 'hers')
    page.signInWith('key of another')
    t.notOk(page.isSamePerson(other))
    t.equal(page.ofPerson(), '@ann', 'until it is loaded again')
    t.notMatch(JSON.stringify({ ...tab }), 'hers')
    const next = personInTab(() => tab)
    t.equal(next.credential(), 'key of another')
    t.ok(next.isSamePerson(other))
    t.equal(next.ofPerson(), `@${other.id}`)
  }
})

t.test('what a provider gave is kept with the token, and ends with it', async (t) => {
  const tab = storage()
  const given = { refresh: 'r', idToken: 'i' }
  personInTab(() => tab).signInWith('token', given)
  const reloaded = personInTab(() => tab)
  t.strictSame(reloaded.login(), given)
  reloaded.isSamePerson(ann)
  t.notOk(reloaded.isSamePerson(bob))
  t.strictSame(personInTab(() => tab).login(), given, 'his own, when somebody else came')
  reloaded.signInWith('a key that is entered')
  t.equal(personInTab(() => tab).login(), undefined)
  reloaded.signInWith('token', given)
  reloaded.endLogin()
  t.strictSame([reloaded.login(), personInTab(() => tab).login()], [undefined, undefined])
  reloaded.signInWith('token', given)
  reloaded.forgetPerson()
  t.notMatch(JSON.stringify({ ...tab }), 'idToken')
})

t.test('a server without keys names nobody, and nothing changes', async (t) => {
  const tab = storage()
  const page = personInTab(() => tab)
  t.ok(page.isSamePerson(undefined))
  t.equal(page.ofPerson(), '')
  t.strictSame({ ...tab }, {})
})

t.test('a browser that stores nothing keeps a key until the page is loaded again', async (t) => {
  const page = personInTab(() => {
    throw new Error('refused')
  })
  page.signInWith('a key')
  t.ok(page.isSamePerson(ann))
  t.equal(page.credential(), 'a key')
  t.notOk(page.isSamePerson(bob))
  page.forgetPerson()
})
