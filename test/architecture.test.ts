// The house holds: a floor imports only what lies below it, doors hold no logic, and nothing Node-only leaks into the core.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** From the ground up: a file imports from its own floor and from those that stand before it here. */
const floors = [
  'model',
  'framing',
  'arguments',
  'schema',
  'formats',
  'text',
  'assembly',
  'replies',
  'prompt',
  'adapters',
  'testing',
  'cli',
]
const doors = ['index', 'core', 'web', 'node', 'text', 'prompt', 'testing', 'ajv'].map((name) => `${name}.ts`)
/** The only files that may know Node. */
const nodeFiles = ['adapters/node-stream.ts', 'adapters/event-log.ts']
/** Each runtime dependency and the one file that may import it. */
const dependencies: Record<string, string> = {
  'eventsource-parser': 'framing/sse.ts',
  '@smithy/eventstream-codec': 'framing/event-stream.ts',
  '@cfworker/json-schema': 'schema/validation.ts',
  ndjson: 'adapters/event-log.ts',
}

interface Import {
  readonly file: string
  readonly specifier: string
}

const files = listFiles(src).map((path) => posix.normalize(relative(src, path)))
const imports = files.flatMap(importsOf)

function listFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return listFiles(path)
    return name.endsWith('.ts') ? [path] : []
  })
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8')
  return [
    ...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm),
  ].map(([, from, bare, dynamic]) => ({ file, specifier: from ?? bare ?? dynamic ?? '' }))
}

function floorOf(file: string): number {
  const [folder, rest] = file.split('/')
  if (rest === undefined) return floors.length
  return floors.indexOf(folder ?? '')
}

function targetOf({ file, specifier }: Import): string {
  return posix.normalize(posix.join(posix.dirname(file), specifier))
}

describe('the house', () => {
  it('has only known floors and doors', () => {
    const strangers = files.filter((file) => floorOf(file) === -1 || (!file.includes('/') && !doors.includes(file)))
    expect(strangers).toEqual([])
    expect(files.length).toBeGreaterThan(40)
    expect(imports.length).toBeGreaterThan(100)
  })

  it('imports only downwards', () => {
    const upwards = imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter((held) => floorOf(targetOf(held)) > floorOf(held.file))
      .map(({ file, specifier }) => `${file} imports ${specifier}`)
    expect(upwards).toEqual([])
  })

  it('keeps the words free of imports from elsewhere', () => {
    const foreign = imports.filter(({ file, specifier }) => file.startsWith('model/') && !specifier.startsWith('./'))
    expect(foreign).toEqual([])
  })

  it('has doors that only re-export', () => {
    for (const door of doors) {
      const code = readFileSync(join(src, door), 'utf8')
        .replaceAll(/\/\*[\s\S]*?\*\//g, '')
        .replaceAll(/^\s*\/\/.*$/gm, '')
      const rest = code.replaceAll(/export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s+from\s+'[^']+'/g, '').trim()
      expect(rest, door).toBe('')
    }
  })

  it('imports each dependency in one file', () => {
    const outside = imports
      .filter(({ specifier }) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
      .filter(({ file, specifier }) => dependencies[specifier] !== file)
      .map(({ file, specifier }) => `${file} imports ${specifier}`)
    expect(outside).toEqual([])
  })

  it('knows Node in the Node adapters alone', () => {
    const leaks = imports.filter(({ file, specifier }) => specifier.startsWith('node:') && !nodeFiles.includes(file))
    expect(leaks).toEqual([])
  })

  it('has no console, timer, eval or non-null assertion in its code', () => {
    const found = files.flatMap((file) => {
      const code = readFileSync(join(src, file), 'utf8')
        .replaceAll(/\/\*[\s\S]*?\*\//g, '')
        .replaceAll(/\/\/.*$/gm, '')
      const words =
        code.match(/\b(?:console\.|setTimeout|setInterval|setImmediate|eval\(|new Function|globalThis)\b/g) ?? []
      return words.map((word) => `${file}: ${word}`)
    })
    expect(found).toEqual([])
  })

  it('says in the first comment of each file what it is for, in whole sentences', () => {
    const broken = files.filter((file) => {
      if (file.endsWith('.d.ts')) return false
      const [, header = ''] = /^((?:\/\/[^\n]*\n)+)\n/.exec(readFileSync(join(src, file), 'utf8')) ?? []
      const last = header.trimEnd().split('\n').at(-1) ?? ''
      return !/(?:[.?:]|https:\/\/\S+)$/.test(last)
    })
    expect(broken).toEqual([])
  })

  it('keeps the binary framing out of the small door', () => {
    const reached = new Set<string>()
    const visit = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const held of imports) if (held.file === file && held.specifier.startsWith('.')) visit(targetOf(held))
    }
    visit('core.ts')
    expect([...reached]).not.toContain('framing/event-stream.ts')
    expect(reached.size).toBeGreaterThan(10)
  })
})
