/** Bundles parts of the library as a user's bundler would, minified and compressed. Sizes are in kB, which are 1,000 bytes. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const dist = (door) => JSON.stringify(fileURLToPath(new URL(`../../dist/${door}.js`, import.meta.url)))

const entries = {
  'core + openai-chat': `export { createAssembler, openaiChat } from ${dist('core')}`,
  'core + all formats': `export * from ${dist('core')}`,
  'main, assemble alone': `export { assemble } from ${dist('index')}`,
  'main, everything': `export * from ${dist('index')}`,
  'parseArguments alone': `export { parseArguments } from ${dist('index')}`,
  'text scanner': `export * from ${dist('text')}`,
}

const kilobytes = (bytes) => (bytes.length / 1000).toFixed(1)

export async function sizeTable() {
  const rows = await Promise.all(Object.entries(entries).map(([name, code]) => rowOf(name, code)))
  return ['| bundle | minified, kB | gzip, kB | brotli, kB |', '| --- | ---: | ---: | ---: |', ...rows].join('\n')
}

async function rowOf(name, code) {
  const bundle = await rolldown({ input: 'entry', platform: 'browser', plugins: [entryPlugin(code)] })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const bytes = Buffer.from(output.map((chunk) => chunk.code ?? '').join(''))
  return `| ${[name, kilobytes(bytes), kilobytes(gzipSync(bytes, { level: 9 })), kilobytes(brotliCompressSync(bytes))].join(' | ')} |`
}

function entryPlugin(code) {
  return {
    name: 'entry',
    resolveId: (id) => (id === 'entry' ? '\0entry' : null),
    load: (id) => (id === '\0entry' ? code : null),
  }
}
