import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const src = fileURLToPath(new URL('src', import.meta.url))

export default defineConfig({
  // The examples import the package by its name, as a user does. Under test that is the source.
  resolve: {
    alias: [
      { find: /^tool-call-assembler$/, replacement: `${src}/index.ts` },
      { find: /^tool-call-assembler\/(\w+)$/, replacement: `${src}/$1.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/properties.ts'],
    // Long enough for a machine that does other things as well. No test waits for the clock.
    testTimeout: 60_000,
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'] },
    coverage: { include: ['src/**'] },
  },
})
