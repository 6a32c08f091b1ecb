import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('the demo', () => {
  let output = ''
  let seconds = 0

  beforeAll(async () => {
    // It runs on what ships. `npm test` builds that first; a bare run of the tests may not have.
    if (!existsSync(`${root}/dist/index.js`)) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root })
    const began = performance.now()
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['demo/main.mjs'], { cwd: root })
    seconds = (performance.now() - began) / 1000
    expect(stderr).toBe('')
    output = stdout
  }, 60_000)

  it('ends within 15 seconds', () => {
    expect(seconds).toBeLessThan(15)
  })

  it('shows calls as they come, in plain lines where nobody watches', () => {
    expect(output).toContain('▶ two calls, interleaved\n  write_file begins\n  get_weather begins\n')
    expect(output).not.toContain('\u001b')
  })

  it.each([
    ['two calls, interleaved', 'write_file #0', 'ok', "the tool's own output"],
    ['two calls, interleaved', 'get_weather #1', 'ok', "the tool's own output"],
    ['Ollama, whole objects', 'get_weather #0', 'ok', "the tool's own output"],
    ['Ollama, whole objects', 'write_file #1', 'ok', "the tool's own output"],
    ['Anthropic, against the schema', 'get_weather #0', 'schema-mismatch', 'The call to `get_weather` was not run'],
    ['arguments in a code fence', 'write_file #0', 'ok, repaired: fence', "the tool's own output"],
    ['a call in the text', 'get_weather #0', 'ok', "the tool's own output"],
    ['cut by the output limit', 'write_file #0', 'truncated (output-limit)', 'The call to `write_file` was not run'],
    ['cut, but "tool_calls"', 'write_file #0', 'truncated (unreported)', 'The call to `write_file` was not run'],
    ['connection dropped', 'write_file #0', 'truncated (connection)', 'The call to `write_file` was not run'],
    ['error in mid-stream', 'write_file #0', 'truncated (server-error)', 'The call to `write_file` was not run'],
    ['a model without tools', '-', 'HTTP 400', 'nothing: This model takes no tools here'],
  ])('has a row for %s: %s, %s', (stream, call, verdict, told) => {
    const rows = output.slice(output.indexOf('\nstream ')).split('\n')
    const row = rows.find((line) => line.startsWith(stream) && line.split(/\s{2,}/)[1] === call)
    expect(row?.split(/\s{2,}/).slice(0, 3)).toEqual([stream, call, verdict])
    expect(row).toContain(told)
  })
})
