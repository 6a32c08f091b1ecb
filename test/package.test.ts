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

/** The names that a door exports as types, those that come out of whole files included. */
function typesOf(door: string): string[] {
  const text = readFileSync(`${root}/src/${door}.ts`, 'utf8')
  const named = [...text.matchAll(/^export type \{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','))
  const whole = [...text.matchAll(/^export type \* from [']([^']+)[']/gm)].flatMap(([, file = '']) => {
    const source = readFileSync(`${root}/src/${file}`, 'utf8')
    return [...source.matchAll(/^export (?:interface|type|const|class|function) (\w+)/gm)].map(([, name = '']) => name)
  })
  return [...named, ...whole]
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .sort()
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

  it('exports these types from its main door, and no type of the inside', () => {
    expect(typesOf('index')).toEqual([
      'AiSchema',
      'ArgumentsByName',
      'ArgumentsByToolName',
      'ArgumentsFaultCode',
      'ArgumentsOf',
      'ArgumentsOutcome',
      'ArgumentsPolicy',
      'AssembleOptions',
      'Assembler',
      'AssemblerEvent',
      'AssemblerOptions',
      'AssemblerResult',
      'AssemblySource',
      'AssemblyStream',
      'AssistantTurnOptions',
      'AuditRecord',
      'BedrockSpec',
      'CallAppend',
      'CallClose',
      'CallFinal',
      'CallFragment',
      'CallIdentity',
      'CallKey',
      'CallOpen',
      'CallReject',
      'CallSelector',
      'Change',
      'ChoiceResult',
      'EmptyObjectPolicy',
      'EventFrame',
      'Failure',
      'FailureCode',
      'Finish',
      'FinishKind',
      'FinishReason',
      'Frame',
      'FramingFault',
      'GeminiDeclaration',
      'GeminiServerTools',
      'Hole',
      'IntegerPolicy',
      'JsonCandidate',
      'JsonObject',
      'JsonSchema',
      'JsonSchemaInterface',
      'JsonValue',
      'KeptClose',
      'KeptOpen',
      'LenientRepairName',
      'Limits',
      'LosslessRepairName',
      'Meter',
      'MeterCounts',
      'MeterSnapshot',
      'NamedTool',
      'NextMessagesOptions',
      'ParseArgumentsOptions',
      'PartitionedCalls',
      'Position',
      'RawFrame',
      'ReadyCall',
      'ReadyCustomCall',
      'RefusedCall',
      'Repair',
      'RepairName',
      'RepairTier',
      'RepeatedFailure',
      'ReplyFormatName',
      'ReplyShapes',
      'RetryGuard',
      'RetryGuardOptions',
      'RetryVerdict',
      'SchemaIssue',
      'ServerCall',
      'Stage',
      'StandardIssue',
      'StandardResult',
      'StandardSchema',
      'Step',
      'StreamError',
      'TextFinal',
      'ToolBody',
      'ToolCall',
      'ToolDefinition',
      'ToolOutputs',
      'ToolReplyOptions',
      'ToolSchema',
      'Tools',
      'TruncationCause',
      'TurnResult',
      'Usage',
      'Warning',
      'WarningCode',
      'WireDelta',
      'WireFormat',
      'WireFormatName',
      'WireMessage',
    ])
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
