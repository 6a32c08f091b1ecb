// What is published fits together: doors, exports and files; and what the code imports is what the package declares.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly files: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
}

const manifest: Manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
const doors = readdirSync(`${root}/src`)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3))

/** What the files of a folder import that is no file of the project, without subpaths. */
function packagesOf(folder: string): string[] {
  const files = readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!\.d)\.m?[jt]s$/.test(path),
  )
  const specifiers = files.flatMap((path) => {
    const text = readFileSync(`${root}/${folder}/${path}`, 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
    return [...text.matchAll(/\bfrom '([^'.][^']*)'|^import '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm)].map(
      ([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '',
    )
  })
  const names = specifiers
    .filter((name) => !name.startsWith('node:'))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
  return [...new Set(names)].sort()
}

describe('the package', () => {
  it('exports every door, by its own name, and nothing else', () => {
    const expected = doors.map((door) => [
      door === 'index' ? '.' : `./${door}`,
      { types: `./dist/${door}.d.ts`, default: `./dist/${door}.js` },
    ])
    expect(manifest.exports).toEqual({ ...Object.fromEntries(expected), './package.json': './package.json' })
    expect(doors).toHaveLength(8)
  })

  it('declares what its code imports, and imports what it declares', () => {
    expect(packagesOf('src')).toEqual(Object.keys(manifest.dependencies).sort())
  })

  it.each(['test', 'bench', 'examples', 'scripts', 'demo'])('declares what %s imports', (folder) => {
    const declared = [
      ...Object.keys(manifest.dependencies),
      ...Object.keys(manifest.devDependencies),
      'tool-call-assembler',
    ]
    expect(packagesOf(folder).filter((name) => !declared.includes(name))).toEqual([])
  })

  it('pins every dependency and runs nothing when it is installed', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare']
    expect(hooks.filter((name) => name in manifest.scripts)).toEqual([])
  })

  it('publishes files that exist', () => {
    expect(manifest.files.filter((name) => name !== 'dist' && !existsSync(`${root}/${name}`))).toEqual([])
    expect(manifest.files).toContain('dist')
  })

  it('checks the same folders by lint and by format, and every folder that has code', () => {
    const { lint = '', format = '', 'format:check': check = '' } = manifest.scripts
    const folders = ['src', 'test', 'bench', 'scripts', 'demo', 'examples']
    for (const line of [lint, format, check]) expect(line.split(' ').slice(-folders.length)).toEqual(folders)
  })
})
