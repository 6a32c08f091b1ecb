// Bundles doors as a user's bundler would, minifies and compresses them, and prints the sizes in kB (1,000 bytes).
//   npm run size
import { gzipSync, brotliCompressSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const dist = (door) => JSON.stringify(fileURLToPath(new URL(`../dist/${door}.js`, import.meta.url)))

const entries = {
  'core + openai-chat': `export { createAssembler, openaiChat } from ${dist('core')}`,
  'core + all formats': `export * from ${dist('core')}`,
  'main, assemble alone': `export { assemble } from ${dist('index')}`,
  'main, everything': `export * from ${dist('index')}`,
  'parseArguments alone': `export { parseArguments } from ${dist('index')}`,
  'text scanner': `export * from ${dist('text')}`,
}

const kilobytes = (bytes) => (bytes.length / 1000).toFixed(1)

console.log('| bundle | minified, kB | gzip, kB | brotli, kB |\n| --- | ---: | ---: | ---: |')
for (const [name, code] of Object.entries(entries)) {
  const bundle = await rolldown({
    input: 'entry',
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? '\0entry' : null),
        load: (id) => (id === '\0entry' ? code : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const bytes = Buffer.from(output.map((chunk) => chunk.code ?? '').join(''))
  console.log(
    `| ${name} | ${kilobytes(bytes)} | ${kilobytes(gzipSync(bytes, { level: 9 }))} | ${kilobytes(brotliCompressSync(bytes))} |`,
  )
}
