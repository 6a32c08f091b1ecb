// The README keeps its word: its code is the examples' code, its tables are what the library does, and what it names exists.
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { adviceFor } from '../src/arguments/advice.ts'
import { formats } from '../src/formats/registry.ts'
import { defaultLimits, type Limits } from '../src/model/limits.ts'
import * as ajv from '../src/ajv.ts'
import * as core from '../src/core.ts'
import * as index from '../src/index.ts'
import * as node from '../src/node.ts'
import * as prompt from '../src/prompt.ts'
import * as testing from '../src/testing.ts'
import * as text from '../src/text.ts'
import * as web from '../src/web.ts'
import { readByDefault, readRow, refusedRows, repairRows } from '../scripts/readme/arguments.mjs'
import { benchPage, benchRegion } from '../scripts/readme/bench.mjs'
import { brokenStreams, judgeRow } from '../scripts/readme/broken-streams.mjs'
import { makeRegions, readRegions, writeRegions } from '../scripts/readme/regions.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = read('README.md')
const reference = read('docs/reference.md')
const benchmarks = read('docs/benchmarks.md')
/** Everything that a user is told. */
const pages = `${readme}\n${reference}\n${benchmarks}`
const library = { index, core, web, node, text, prompt, testing, ajv }
const regions = readRegions(pages)

function read(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8')
}

/** Cells of the first column of every table row, without code marks. */
const firstCells = pages
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => (line.split(' | ')[0] ?? '').replace(/^\| /, ''))

/** Names between code marks in the first column: `a`, `b`. */
const namesInFirstCells = new Set(
  firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)),
)

describe('what the README shows', () => {
  const made = makeRegions(library)

  it.each(Object.entries(made))('holds %s as it is (npm run readme makes it anew)', (name, contents) => {
    expect(regions[name]).toBe(contents)
  })

  it('holds the results of the last whole run of the benches, or none (node scripts/readme-bench.mjs)', () => {
    const results = 'bench/results/latest.json'
    const run = existsSync(`${root}/${results}`) ? JSON.parse(read(results)) : undefined
    expect(regions['bench']).toBe(run ? benchRegion(run) : '')
    expect(regions['bench-all']).toBe(run ? benchPage(run) : '')
  })

  it('shows what bundles come to (npm run size)', () => {
    expect(regions['size']).toMatch(/\| core \+ openai-chat \| [\d.]+ \| [\d.]+ \| [\d.]+ \|/)
  })

  it('has no code that is not run', () => {
    const blocks = [...pages.matchAll(/```ts\n/g)]
    expect(blocks).toHaveLength(Object.keys(made).filter((name) => name.startsWith('example-')).length)
  })

  it('replaces regions by name and nothing else', () => {
    const page = 'a\n<!-- one:start -->\nold\n<!-- one:end -->\n<!-- two:start -->\n<!-- two:end -->\nb'
    expect(readRegions(page)).toEqual({ one: 'old', two: '' })
    expect(writeRegions(page, { one: '$& new' })).toBe(page.replace('old', () => '$& new'))
  })
})

describe('the table of broken streams', () => {
  it.each(brokenStreams)('$stream: $verdict', (row) => {
    const { verdict, finish, reported, told, message } = judgeRow(row, index)
    expect({ verdict, finish, reported }).toEqual({
      verdict: row.verdict,
      finish: row.finish,
      reported: row.reported ?? [],
    })
    const line = readme.split('\n').find((held) => held.startsWith(`| ${row.stream} | `))
    expect(line?.split(' | ').slice(1, 3)).toEqual([row.verdict, row.finish])
    if (message.trim() !== '') expect(message).toContain(told)
  })
})

describe('the table of arguments', () => {
  it.each(repairRows)('$repair repairs $text', (row) => {
    const outcome = readRow(row, index)
    expect(outcome.ok && outcome.repairs.map(({ name }) => name)).toEqual([row.repair])
    expect(readByDefault(row, index).ok).toBe(row.tier === 'lossless' || row.tier === 'emptyObject')
  })

  it.each(refusedRows)('$code refuses $text, whatever is switched on', (row) => {
    const outcome = readRow(row, index)
    expect(outcome.ok || outcome.failure.code).toBe(row.code)
  })

  it('has every repair, in the order of the tiers', () => {
    const codes = Object.keys(adviceFor)
    const shown = repairRows.map(({ repair }) => repair)
    expect(codes.filter((code) => !namesInFirstCells.has(code)).sort()).toEqual(
      shown.filter((name) => !namesInFirstCells.has(name)).sort(),
    )
    const tiers = repairRows.map(({ tier }) => tier)
    expect([tiers.lastIndexOf('lossless'), tiers.indexOf('lenient'), tiers.lastIndexOf('lenient')]).toEqual([
      10, 11, 19,
    ])
    expect(readme).toContain('rows 1 to 11 below')
    expect(readme).toContain('rows 12 to 20')
  })
})

describe('the table of limits', () => {
  const send = (limits: Partial<Limits>): { readonly verdicts: unknown; readonly errors: unknown } => {
    const calls = ['a', 'b', 'c'].map((name) => ({ name, arguments: { list: [[name]] } }))
    const assembler = index.createAssembler({ format: 'openai-chat', limits })
    const events = [...testing.encodeStream('openai-chat', calls)].flatMap((chunk) => assembler.feed(chunk))
    events.push(...assembler.end())
    return {
      verdicts: assembler.result?.calls.map((call) => (call.ok ? 'ok' : call.failure.code)),
      errors: [...new Set(events.flatMap((event) => (event.type === 'error' ? [event.error.code] : [])))],
    }
  }
  /** The arguments of one call, `{"list":[["a"]]}`, have 16 bytes and three levels; its events are longer. */
  const within = { maxArgumentBytes: 16, maxTotalArgumentBytes: 48, maxCalls: 3, maxDepth: 3 }
  const cases = {
    maxEventBytes: [{ maxEventBytes: 100 }, []],
    maxArgumentBytes: [{ maxArgumentBytes: 15 }, ['over-limit', 'over-limit', 'over-limit']],
    maxTotalArgumentBytes: [{ maxTotalArgumentBytes: 31 }, ['ok', 'over-limit', 'over-limit']],
    maxCalls: [{ maxCalls: 2 }, ['ok', 'ok']],
    maxDepth: [{ maxDepth: 2 }, ['too-deep', 'too-deep', 'too-deep']],
  } satisfies Record<keyof Limits, readonly [Partial<Limits>, readonly string[]]>

  it('is not about what keeps within them', () => {
    expect(send(within)).toEqual({ verdicts: ['ok', 'ok', 'ok'], errors: [] })
  })

  it.each(Object.entries(cases))('is right about what happens when %s is crossed', (name, [limits, verdicts]) => {
    const errors = name === 'maxDepth' ? [] : ['over-limit']
    expect(send({ ...within, ...limits })).toEqual({ verdicts, errors })
    expect(readme).toContain('Each crossing is an `over-limit` error event, but for that of `maxDepth`')
  })
})

describe('what the README names', () => {
  it('has a row for every wire format, and the number of them right', () => {
    for (const { name } of formats) expect(namesInFirstCells).toContain(name)
    expect(formats).toHaveLength(7)
  })

  it('has a row for every limit, with its default', () => {
    for (const [name, value] of Object.entries(defaultLimits)) {
      const shown = name.endsWith('Bytes') ? `${value / 2 ** 20} MiB` : String(value)
      expect(readme).toContain(`| \`${name}\` | ${shown} |`)
    }
  })

  it.each([
    ['src/text/options.ts', 'TextPolicy'],
    ['src/model/options.ts', 'AssemblerOptions'],
    ['src/model/tools.ts', 'ArgumentsPolicy'],
  ])('has a row for every option that %s declares as %s', (file, name) => {
    const declaration = new RegExp(`export interface ${name}\\b[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(read(file))?.[1] ?? ''
    const options = [...declaration.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, option]) => option)
    expect(options.length).toBeGreaterThan(4)
    expect(options.filter((option) => !namesInFirstCells.has(option))).toEqual([])
  })

  it('exports every function that is called, and explains none that is not there', () => {
    const prose = pages
      .replaceAll(/```[\s\S]*?```/g, '')
      .replaceAll(/<!-- ([\w-]+):start -->[\s\S]*?<!-- \1:end -->/g, '')
    const exported = new Set(Object.values(library).flatMap((door) => Object.keys(door)))
    const members = [
      'abort',
      'addEventListener',
      'feedEvent',
      'partialArguments',
      'result',
      'fieldStream',
      'feed',
      'signal',
    ]
    const called = [...prose.matchAll(/`(?:await )?(?:\w+\.)?(\w+)\([^`]*\)`/g)].map(([, name]) => name ?? '')
    expect(called.length).toBeGreaterThan(2)
    expect(called.filter((name) => !exported.has(name) && !members.includes(name))).toEqual([])
  })

  it('names commands, files and headings that exist', () => {
    const manifest: { readonly scripts: Record<string, string> } = JSON.parse(read('package.json'))
    const commands = [...pages.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '')
    expect(commands.length).toBeGreaterThan(10)
    expect(commands.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([])
    const scripts = Object.values(manifest.scripts).flatMap((line) => [...line.matchAll(/node (\S+)/g)])
    const mentioned = [...pages.matchAll(/`((?:test|scripts|bench)\/[^`* ]+)`/g)]
    const files = [...scripts, ...mentioned].map(([, path]) => path ?? '')
    expect(files.filter((path) => !existsSync(`${root}/${path}`))).toEqual([])
  })

  it.each([
    ['README.md', readme],
    ['docs/reference.md', reference],
    ['docs/benchmarks.md', benchmarks],
  ])('has only links that lead somewhere: %s', (page, content) => {
    const links = [...content.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
    expect(links.length).toBeGreaterThan(1)
    for (const [link, path = '', anchor] of links) {
      const target = path === '' ? page : posix.join(posix.dirname(page), path)
      expect(existsSync(`${root}/${target}`), link).toBe(true)
      if (anchor !== undefined) expect(headingsOf(read(target)), link).toContain(anchor)
    }
  })

  it('counts the packages that come along', () => {
    const lock: { readonly packages: Record<string, { readonly dev?: boolean }> } = JSON.parse(
      read('package-lock.json'),
    )
    const shipped = Object.entries(lock.packages).filter(([path, { dev = false }]) => path !== '' && !dev)
    expect(readme).toContain(`they are ${shipped.length} packages`)
  })

  it('opens with the two commands', () => {
    expect(/```sh\n(npm ci && npm run demo).*\n(npm ci && npm test).*\n```/.exec(readme)?.index).toBeLessThan(700)
  })
})

function headingsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) => slug(title ?? ''))
}

/** As the site that shows the page makes an anchor of a heading. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
