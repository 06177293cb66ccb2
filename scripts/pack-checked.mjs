// node scripts/pack-checked.mjs FOLDER: writes a checked tarball of each package. Needs `npm run build` first.
import path from 'node:path'
import { lintPacked } from './lint-packed.mjs'
import { packPackages } from './pack.mjs'

await lintPacked(await packPackages(path.resolve(process.argv[2] ?? 'tarballs')))
