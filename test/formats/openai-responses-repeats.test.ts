// Text that a repetition of the Responses API has beyond its deltas is not lost: it is said, or reported where its place is unknown.
import { describe, expect, it } from 'vitest'
import type { AssemblerResult } from '../../src/index.ts'
import { agreed, sse } from '../helpers/agreed.ts'

const created = { type: 'response.created', response: { object: 'response', status: 'in_progress', output: [] } }
const message = (id: string, ...texts: string[]): object => ({
  type: 'message',
  id,
  role: 'assistant',
  content: texts.map((text) => ({ type: 'output_text', text })),
})
const added = (output_index: number, item: object): object => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const said = (kind: 'delta' | 'done', item_id: string, text: string, content_index = 0): object => ({
  type: `response.output_text.${kind}`,
  output_index: item_id === 'm' ? 0 : 1,
  item_id,
  content_index,
  ...(kind === 'delta' ? { delta: text } : { text }),
})
const completed = (...output: object[]): object => ({
  type: 'response.completed',
  response: { object: 'response', status: 'completed', output },
})

const assembled = (...events: object[]): AssemblerResult =>
  agreed('openai-responses', sse(created, added(0, message('m')), ...events))

describe('a repetition with more text than the deltas', () => {
  it.each<[string, object[]]>([
    ['the response', [completed(message('m', 'hello'))]],
    ['the part’s own end', [said('done', 'm', 'hello'), completed()]],
    ['the item’s', [{ ...added(0, message('m', 'hello')), type: 'response.output_item.done' }, completed()]],
    ['two that differ', [said('done', 'm', 'hel'), completed(message('m', 'hello'))]],
  ])('goes on where they stopped: %s', (_, events) => {
    const result = assembled(said('delta', 'm', 'h'), said('delta', 'm', 'e'), ...events)
    expect(result.text).toBe('hello')
    expect(result.warnings).toEqual([])
    expect(result.finish).toMatchObject({ reason: 'stop', truncated: false })
  })

  it('is reported where what it adds has no place behind them', () => {
    const two = completed(message('m', 'hello'), message('n', 'world'))
    const result = assembled(said('delta', 'm', 'he'), added(1, message('n')), said('delta', 'n', 'world'), two)
    expect(result.text).toBe('heworld')
    expect(result.warnings).toMatchObject([{ code: 'orphan-fragment', raw: 'helloworld' }])
    expect(result.finish.truncated).toBe(true)
  })

  it('is told from one that says the same, or less', () => {
    for (const events of [
      [said('done', 'm', 'he'), completed(message('m', 'he'))],
      [completed(message('m', 'h'))],
      [completed(message('m', ''))],
      [completed()],
    ]) {
      const result = assembled(said('delta', 'm', 'he'), ...events)
      expect(result).toMatchObject({ text: 'he', warnings: [] })
    }
  })

  it('is told for reasoning and refusals apart', () => {
    const thought = { type: 'reasoning', id: 'n', summary: [{ type: 'summary_text', text: 'I think' }] }
    const delta = {
      type: 'response.reasoning_summary_text.delta',
      output_index: 1,
      item_id: 'n',
      summary_index: 0,
      delta: 'I',
    }
    const refused = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }
    const refusal = { type: 'response.refusal.delta', output_index: 0, item_id: 'm', content_index: 0, delta: 'N' }
    expect(assembled(refusal, delta, completed(refused, thought))).toMatchObject({
      text: '',
      reasoning: 'I think',
      refusal: 'No.',
      warnings: [],
    })
  })

  it('is not compared where calls are taken out of the text', () => {
    const text = '<tool_call>{"name":"f","arguments":{}}</tool_call>'
    const events = [created, added(0, message('m')), said('delta', 'm', text), completed(message('m', text))]
    const result = agreed('openai-responses', sse(...events), { textCalls: true })
    expect(result).toMatchObject({ text: '', warnings: [], calls: [{ ok: true, name: 'f' }] })
  })
})
