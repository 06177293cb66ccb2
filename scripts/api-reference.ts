/**
 * The pages of docs/reference/api: each name of a stable entry point of core, with its declaration and its docstring. A new,
 * removed or changed name changes a page, so that reviewers see it.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const source = path.resolve(import.meta.dirname, '../core/src')

/** Entry point, title and purpose. */
const DOORS = [
  ['index', '@grainline/core', 'Models, queries, the compiler, the service, the host, and how a plugin is written.'],
  ['dialect', '@grainline/core/dialect', 'For the author of a [dialect](../../writing-a-dialect.md).'],
  ['vendor', '@grainline/core/vendor', 'For the author of a [vendor](../../plugins/vendor.md) or an evaluator.'],
  [
    'surface',
    '@grainline/core/surface',
    'For the author of a [surface](../../plugins/surface.md) or an [authenticator](../../plugins/authenticator.md).',
  ],
  ['language', '@grainline/core/language', 'For the author of a [language](../../plugins/language.md).'],
  ['format', '@grainline/core/format', 'For the author of a [format](../../plugins/format.md) of answers.'],
  ['testing', '@grainline/core/testing', 'Conformance suites for tests of plugins. No server loads them.'],
] as const

/** The text of each page by its path. Throws if a name has no docstring. */
export const apiPages: Readonly<Record<string, () => string>> = Object.fromEntries(
  DOORS.map((door) => [`docs/reference/api/${door[0] === 'index' ? 'core' : door[0]}.md`, () => pageOf(door)]),
)

function pageOf([file, name, purpose]: (typeof DOORS)[number]): string {
  const names = namesOf(file)
  const bare = names.filter(({ doc }) => doc === '').map((n) => n.name)
  if (bare.length > 0) throw new Error(`${name} exports names without a docstring: ${bare.join(', ')}`)
  const list = names.map((n) => `[\`${n.name}\`](#${n.name.toLowerCase()})`).join(' · ')
  const sections = names.map((n) => `## ${n.name}\n\n${n.doc}\n\n\`\`\`ts\n${n.declaration}\n\`\`\`\n`)
  return `# ${name}\n\n${purpose} Import it as \`import { … } from '${name}'\`. ${names.length} names:\n\n${list}\n\n${sections.join('\n')}`
}

interface Name {
  readonly name: string
  readonly doc: string
  readonly declaration: string
}

function namesOf(door: string): readonly Name[] {
  const text = readFileSync(path.join(source, `${door}.ts`), 'utf8')
  return [...text.matchAll(/export (?:type )?\{([^}]*)\} from '(\.[^']*)'/g)]
    .flatMap(([, names = '', from = '']) => {
      const module = readFileSync(path.join(source, from.replace(/\.js$/, '.ts')), 'utf8')
      return names
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter(Boolean)
        .map((name) => declared(name, module))
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** A name may be exported under another one. */
function declared(exported: string, module: string): Name {
  const [own = '', name = own] = exported.split(' as ')
  const head = new RegExp(
    `^export (?:declare )?(?:abstract )?(?:async )?(?:const|function\\*?|async function\\*?|class|interface|type) ${own}\\b`,
    'm',
  )
  const at = module.search(head)
  if (at < 0) throw new Error(`the declaration of ${name} is not in the file that its entry point names`)
  const above = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(module.slice(0, at))
  const doc = above?.[1] === undefined ? '' : above[1].replace(/^[ \t]*\* ?/gm, '').trim()
  const declaration = declarationAt(module, at)
  return { name, doc, declaration: own === name ? declaration : declaration.replace(new RegExp(`\\b${own}\\b`), name) }
}

/** A whole interface or type, the head of a class, a function or a constant without its body. */
function declarationAt(module: string, at: number): string {
  const text = module.slice(at).replace(/^export /, '')
  if (/^(interface|type)/.test(text))
    return upTo(
      text,
      /^(interface[\s\S]*?^\}|interface[^\n]*\{\}|type [\s\S]*?)(?=\n\n|\n\/\*\*|\n\/\/|\nexport|\n(?:const|function|interface|type) |\n*$)/m,
    )
  if (/^(abstract )?class/.test(text)) return upTo(text, /^[^{]*(?= \{)/)
  if (/^(async )?function/.test(text)) return upTo(text, /^[\s\S]*?(?= \{\n)/)
  return upTo(text, /^[\s\S]*?(?= =>| = (?!\()|\n\n)/)
}

const upTo = (text: string, pattern: RegExp): string => pattern.exec(text)?.[0].trim() ?? text.split('\n')[0]!
