import { describe, expect, it } from 'vitest'
import { openaiResponses } from '../../src/formats/openai-responses.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import { messages, reading } from '../helpers/readers.ts'

const read = reading(openaiResponses)

const call = (fields: object = {}): object => ({
  type: 'function_call',
  id: 'fc1',
  call_id: 'c1',
  name: 'f',
  arguments: '',
  ...fields,
})
const added = (output_index: unknown, item: object): object => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const done = (output_index: unknown, item: object): object => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const args = (output_index: unknown, delta: unknown, item_id = 'fc1'): object => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  item_id,
  delta,
})
const argsDone = (output_index: unknown, text: string, item_id = 'fc1'): object => ({
  type: 'response.function_call_arguments.done',
  output_index,
  item_id,
  arguments: text,
})
const ended = (status: string, response: object = {}): object => ({
  type: `response.${status}`,
  response: { object: 'response', status, output: [], ...response },
})

const opened = (key: number, fields: object = {}): object => ({
  type: 'call-open',
  choice: 0,
  key,
  wireIndex: 0,
  id: 'c1',
  name: 'f',
  kind: 'function',
  ...fields,
})
const appended = (key: number, delta: string): object => ({ type: 'call-append', key, delta })
const whole = (key: number, source: string): object => ({ ...appended(key, source), form: 'object' })
const closed = (key: number): object => ({ type: 'call-close', key })
const cut = (key: number): object => ({ ...closed(key), cut: true })
const repeated = (key: number, text: string): object => ({
  type: 'call-final',
  key,
  arguments: text,
  id: null,
  name: null,
})
const renamed = (key: number, fields: object = {}): object => ({
  type: 'call-final',
  key,
  arguments: '',
  id: 'c1',
  name: 'f',
  ...fields,
})
const finished = (raw: string, kind: string): object => ({ type: 'finish', choice: 0, raw, kind })
const end = { type: 'end' }
const said = (type: string, delta: string): object => ({ type, choice: 0, delta })
const retold = (of: string, text: string): object => ({ type: 'text-final', of, choice: 0, text })

const custom = (input: string): object => ({ type: 'custom_tool_call', id: 'ct1', call_id: 'c1', name: 'f', input })
const customEvent = (kind: string, fields: object): object => ({
  type: `response.custom_tool_call_input.${kind}`,
  output_index: 0,
  item_id: 'ct1',
  ...fields,
})
const server = (name: string, kind: string, argumentsText: string): object => ({
  type: 'server-call',
  call: { id: 'i1', name, kind, argumentsText },
})
const reasoning = (id: string, encrypted_content: unknown): object => ({
  type: 'reasoning',
  id,
  summary: [],
  encrypted_content,
})
const textEvent = (type: string, fields: object): object => ({
  type: `response.${type}`,
  output_index: 0,
  item_id: 'm1',
  content_index: 0,
  ...fields,
})
const bare = (type: string, fields: object): object => ({ type: `response.output_text.${type}`, ...fields })
const message = (...content: object[]): object => ({ type: 'message', id: 'm1', role: 'assistant', content })
const outputText = (text: string): object => ({ type: 'output_text', text, annotations: [] })

const only = (deltas: readonly WireDelta[], ...types: WireDelta['type'][]): WireDelta[] =>
  deltas.filter(({ type }) => types.includes(type))

const detects = (value: unknown): boolean => messages(value).some((item) => openaiResponses.detect(item))

describe('function calls', () => {
  it('are told by index, through every repetition', () => {
    const item = call({ arguments: '{"x":1}', status: 'completed' })
    expect(
      read(
        added(0, call()),
        args(0, '{"x":'),
        args(0, '1}'),
        argsDone(0, '{"x":1}'),
        done(0, item),
        ended('completed', { output: [item] }),
      ),
    ).toEqual([
      opened(0),
      appended(0, '{"x":'),
      appended(0, '1}'),
      repeated(0, '{"x":1}'),
      closed(0),
      renamed(0),
      repeated(0, '{"x":1}'),
      closed(0),
      renamed(0),
      repeated(0, '{"x":1}'),
      closed(0),
      finished('completed', 'clean'),
      end,
    ])
  })

  it.each<[string, object[]]>([
    ['their deltas', [added(0, call()), args(0, '{}')]],
    ['the event that ends their arguments', [added(0, call()), argsDone(0, '{}')]],
    ['their own end', [added(0, call()), done(0, call({ arguments: '{}' }))]],
    ['their own end alone', [done(0, call({ arguments: '{}' }))]],
    ['the whole response', [added(0, call()), ended('completed', { output: [call({ arguments: '{}' })] })]],
    ['the whole response alone', [ended('completed', { output: [call({ arguments: '{}' })] })]],
    ['their beginning', [added(0, call({ arguments: '{}' })), ended('completed')]],
    ['a beginning that the stream is cut behind', [added(0, call({ arguments: '{}' }))]],
  ])('are known from %s', (_, events) => {
    const deltas = read(...events)
    expect(only(deltas, 'call-open')).toEqual([opened(0)])
    const texts = deltas.map((delta) =>
      delta.type === 'call-append' ? delta.delta : delta.type === 'call-final' ? delta.arguments : '',
    )
    expect(texts.filter((text) => text !== '')).toEqual(['{}'])
  })

  it('keep to their index while their item ids change', () => {
    expect(
      only(
        read(added(0, call()), args(0, '{', 'x2'), args(0, '}', 'x3'), done(0, call({ id: 'x4', arguments: '{}' }))),
        'call-open',
        'call-append',
      ),
    ).toEqual([opened(0), appended(0, '{'), appended(0, '}')])
  })

  it('interleave', () => {
    expect(
      only(
        read(
          added(0, call()),
          added(1, call({ id: 'fc2', call_id: 'c2' })),
          args(0, '{'),
          args(1, '[', 'fc2'),
          args(0, '}'),
        ),
        'call-append',
      ),
    ).toEqual([appended(0, '{'), appended(1, '['), appended(0, '}')])
  })

  it('are told by id where a gateway gives all of them one index', () => {
    const second = call({ id: 'fc2', call_id: 'c2' })
    const deltas = read(
      added(0, call()),
      args(0, '{'),
      added(0, second),
      args(0, '[', 'fc2'),
      args(0, '}'),
      done(0, call({ arguments: '{}' })),
      done(0, { ...second, arguments: '[' }),
    )
    expect(only(deltas, 'call-open')).toEqual([opened(0), opened(1, { id: 'c2' })])
    expect(only(deltas, 'call-append')).toEqual([appended(0, '{'), appended(1, '['), appended(0, '}')])
    expect(only(deltas, 'call-final').filter((delta) => 'arguments' in delta && delta.arguments !== '')).toEqual([
      repeated(0, '{}'),
      repeated(1, '['),
    ])
  })

  it('are cut by an end that says incomplete', () => {
    expect(read(added(0, call()), args(0, '{"x'), done(0, call({ arguments: '{"x', status: 'incomplete' })))).toEqual([
      opened(0),
      appended(0, '{"x'),
      renamed(0),
      repeated(0, '{"x'),
      cut(0),
    ])
  })

  it('that share an id are repeated in order', () => {
    const first = call({ arguments: '{"x":1}' })
    const second = call({ id: 'fc2', arguments: '{"x":2}' })
    const deltas = read(done(0, first), done(1, second), ended('completed', { output: [first, second] }))
    expect(only(deltas, 'call-final').filter((delta) => 'arguments' in delta && delta.arguments !== '')).toEqual([
      repeated(0, '{"x":1}'),
      repeated(1, '{"x":2}'),
      repeated(0, '{"x":1}'),
      repeated(1, '{"x":2}'),
    ])
  })

  it('keep what must go back with them', () => {
    const caller = { type: 'program', caller_id: 'p1' }
    expect(read(added(0, call({ caller, namespace: 'crm', status: 'in_progress' })))).toEqual([
      opened(0, { extra: { caller, namespace: 'crm' } }),
      cut(0),
    ])
    expect(read(added(0, call({ caller: null })))).toEqual([opened(0), cut(0)])
  })

  it('have their arguments as an object where a gateway sends that', () => {
    expect(read(done(0, call({ arguments: { n: 1 } })))).toEqual([opened(0), whole(0, '{"n":1}'), closed(0)])
  })

  it('may be known before they are announced', () => {
    expect(
      read(args(3, '{"x":'), args(3, '1}'), argsDone(3, '{"x":1}'), done(3, call({ arguments: '{"x":1}' }))),
    ).toEqual([opened(0, { wireIndex: 3 }), appended(0, '{"x":1}'), repeated(0, '{"x":1}'), closed(0)])
    expect(only(read(args(3, '{'), added(3, call()), args(3, '}')), 'call-append')).toEqual([
      appended(0, '{'),
      appended(0, '}'),
    ])
  })

  it('that are never announced leave their fragments to the ledger', () => {
    expect(read(args(3, '{"x"'), args(3, ':'), ended('completed'))).toEqual([
      finished('completed', 'clean'),
      appended(0, '{"x":'),
      end,
    ])
  })

  it('are damaged by fragments of the wrong type, and all of them by one for nobody', () => {
    expect(read(added(0, call()), args(0, 5))[1]).toMatchObject({
      type: 'call-damage',
      key: 0,
      warning: { code: 'unexpected-type', raw: '5' },
    })
    const lost = read(added(0, call()), { type: 'response.function_call_arguments.delta', delta: '{' })[1]
    expect(lost).toMatchObject({ type: 'damage', warning: { frame: 2 } })
    expect(lost).not.toHaveProperty('key')
    expect(read({ type: 'response.output_item.added', output_index: 0, item: 'x' })).toMatchObject([{ type: 'damage' }])
    expect(read(ended('completed', { output: 'x' }))[0]).toMatchObject({ type: 'damage' })
  })
})

describe('custom calls', () => {
  it('have free text, closed by its own end', () => {
    expect(
      read(
        added(0, custom('')),
        customEvent('delta', { delta: '*** Begin' }),
        customEvent('done', { input: '*** Begin' }),
      ),
    ).toEqual([opened(0, { kind: 'custom' }), appended(0, '*** Begin'), repeated(0, '*** Begin'), closed(0)])
  })

  it('may have it only at their end', () => {
    expect(only(read(added(0, custom('')), done(0, custom('x = 1'))), 'call-final', 'call-close')).toEqual([
      renamed(0),
      repeated(0, 'x = 1'),
      closed(0),
    ])
  })
})

describe('OpenAI’s own tools that the caller runs', () => {
  it.each<[string, object, string]>([
    ['local_shell_call', { action: { type: 'exec', command: ['ls'] } }, '{"type":"exec","command":["ls"]}'],
    ['apply_patch_call', { operation: { type: 'delete_file', path: 'a' } }, '{"type":"delete_file","path":"a"}'],
    ['tool_search_call', { execution: 'client', arguments: { q: 1 } }, '{"q":1}'],
    ['shell_call', { environment: { type: 'local' }, action: { commands: ['ls'] } }, '{"commands":["ls"]}'],
    ['computer_call', { action: { type: 'click', x: 1 } }, '{"type":"click","x":1}'],
    ['computer_call', { actions: [{ type: 'wait' }] }, '{"actions":[{"type":"wait"}]}'],
  ])('%s is a call by the name of its type, with an object for arguments', (type, fields, text) => {
    const item = { type, id: 'i1', call_id: 'c1', ...fields }
    const deltas = read(
      added(0, { ...item, status: 'in_progress' }),
      done(0, item),
      ended('completed', { output: [item] }),
    )
    expect(deltas).toEqual([
      opened(0, { name: type, extra: { type, id: 'i1' } }),
      renamed(0, { name: type, extra: { type, id: 'i1' } }),
      whole(0, text),
      closed(0),
      renamed(0, { name: type, extra: { type, id: 'i1' } }),
      repeated(0, text),
      closed(0),
      finished('completed', 'clean'),
      end,
    ])
  })

  it('have what the wire sent as their arguments, to the digit', () => {
    const raw = `{"type":"response.output_item.done","output_index":0,"item":{"type":"local_shell_call","id":"i1","call_id":"c1","action":{"timeout_ms": 12345678901234567890, "a": 1, "a": 2}}}`
    expect(read(raw)[1]).toEqual(whole(0, '{"timeout_ms": 12345678901234567890, "a": 1, "a": 2}'))
  })
})

describe('calls that the provider runs', () => {
  it.each<[string, object, string]>([
    ['web_search_call', { action: { type: 'search', query: 'q' } }, '{"type":"search","query":"q"}'],
    ['file_search_call', { queries: ['q'], results: null }, '{"queries":["q"]}'],
    ['code_interpreter_call', { code: '1+1', outputs: [] }, '{"code":"1+1"}'],
    ['image_generation_call', { result: 'iVBO' }, ''],
    ['tool_search_call', { execution: 'server', call_id: null, arguments: { p: 1 } }, '{"p":1}'],
    ['tool_search_call', { call_id: null, arguments: { p: 1 } }, '{"p":1}'],
    ['shell_call', { environment: { type: 'container_reference' }, action: { commands: [] } }, '{"commands":[]}'],
  ])('%s is one, once', (type, fields, text) => {
    const item = { type, id: 'i1', ...fields }
    expect(
      only(
        read(added(0, { type, id: 'i1', ...fields }), done(0, item), ended('completed', { output: [item] })),
        'server-call',
        'call-open',
      ),
    ).toEqual([server(type, type, text)])
  })

  it.each(['mcp_call', 'mcp_approval_request'])('%s goes by its tool’s name', (type) => {
    expect(read(done(0, { type, id: 'i1', name: 'shorten', arguments: '{"u":1}', server_label: 's' }))).toEqual([
      server('shorten', type, '{"u":1}'),
    ])
  })

  it('keep what came of them when the stream is cut', () => {
    const mcp = added(0, { type: 'mcp_call', id: 'i1', name: 'shorten', arguments: '' })
    const delta = { type: 'response.mcp_call_arguments.delta', output_index: 0, item_id: 'i1', delta: '{"u' }
    expect(read(mcp, delta)).toEqual([server('shorten', 'mcp_call', '{"u')])
    expect(read(mcp, delta, ended('completed'))).toEqual([
      finished('completed', 'clean'),
      server('shorten', 'mcp_call', '{"u'),
      end,
    ])
    const code = { type: 'response.code_interpreter_call_code.delta', output_index: 1, item_id: 'i1', delta: 'a = 1' }
    expect(read(code)).toEqual([server('', 'code_interpreter_call', 'a = 1')])
  })

  it('have all of their arguments from their own end, or from that of the arguments', () => {
    const mcp = { type: 'mcp_call', id: 'i1', name: 'shorten', arguments: '' }
    const ending = { type: 'response.mcp_call_arguments.done', output_index: 0, item_id: 'i1', arguments: '{}' }
    expect(read(added(0, mcp), ending, done(0, mcp))).toEqual([server('shorten', 'mcp_call', '{}')])
  })

  it('leave lists, outputs, programs and unknown items uncounted', () => {
    for (const type of ['mcp_list_tools', 'tool_search_output', 'program', 'function_call_output', 'dream']) {
      expect(read(added(0, { type, id: 'i1', arguments: '{}' }), done(0, { type, id: 'i1', arguments: '{}' }))).toEqual(
        [],
      )
    }
  })
})

describe('reasoning that is encrypted', () => {
  it('goes back with the call that comes right after it, once', () => {
    const thought = reasoning('rs1', 'gAAA')
    const deltas = read(
      added(0, reasoning('rs1', 'g')),
      done(0, thought),
      added(1, call()),
      done(1, call()),
      added(2, call({ id: 'fc2', call_id: 'c2' })),
      ended('completed', { output: [thought, call(), call({ id: 'fc2', call_id: 'c2' })] }),
    )
    expect(only(deltas, 'call-open')).toEqual([
      opened(1, { wireIndex: 1, extra: { reasoning: [thought] } }),
      opened(2, { wireIndex: 2, id: 'c2' }),
    ])
  })

  it('stays with the message where one comes between', () => {
    const deltas = read(
      done(0, reasoning('rs1', 'gAAA')),
      done(1, { type: 'message', id: 'm1', content: [] }),
      added(2, call({ namespace: 'n' })),
    )
    expect(only(deltas, 'call-open')).toEqual([opened(2, { wireIndex: 2, extra: { namespace: 'n' } })])
  })

  it('is none where there is no content', () => {
    expect(read(done(0, reasoning('rs1', null)), added(1, call()))).toEqual([opened(1, { wireIndex: 1 }), cut(1)])
  })
})

describe('text', () => {
  it('is said once, however often it is repeated', () => {
    expect(
      read(
        added(0, message()),
        textEvent('content_part.added', { part: outputText('') }),
        textEvent('output_text.delta', { delta: 'Hi' }),
        textEvent('output_text.delta', { delta: ' you' }),
        textEvent('output_text.done', { text: 'Hi you' }),
        textEvent('content_part.done', { part: outputText('Hi you') }),
        done(0, message(outputText('Hi you'))),
        ended('completed', { output: [message(outputText('Hi you'))] }),
      ),
    ).toEqual([said('text', 'Hi'), said('text', ' you'), finished('completed', 'clean'), retold('text', 'Hi you'), end])
  })

  it.each<[string, object]>([
    ['the end of the text', textEvent('output_text.done', { text: 'Hi' })],
    ['the end of the part', textEvent('content_part.done', { part: outputText('Hi') })],
    ['the end of the item', done(0, message(outputText('Hi')))],
    ['the whole response', ended('completed', { output: [message(outputText('Hi'))] })],
    ['a content that is a string', done(0, { type: 'message', id: 'm1', content: 'Hi' })],
  ])('is said where it comes only with %s', (_, ending) => {
    expect(only(read(added(0, message()), ending), 'text')).toEqual([said('text', 'Hi')])
    expect(only(read(ending), 'text')).toEqual([said('text', 'Hi')])
  })

  it('is matched by order where the response leaves items out and changes their ids', () => {
    expect(
      only(
        read(
          added(0, { type: 'reasoning', id: 'rs1' }),
          added(1, message()),
          { type: 'response.output_text.delta', output_index: 1, item_id: 'm9', content_index: 0, delta: 'Hi' },
          ended('completed', {
            output: [
              { ...message(outputText('Hi')), id: 'm7' },
              { ...message(outputText('Bye')), id: 'm8' },
            ],
          }),
        ),
        'text',
      ),
    ).toEqual([said('text', 'Hi'), said('text', 'Bye')])
  })

  it('is told from refusals and reasoning, summarised or not', () => {
    const summary = { type: 'summary_text', text: 'S' }
    expect(
      read(
        textEvent('reasoning_summary_text.delta', { summary_index: 0, delta: 'S' }),
        textEvent('reasoning_summary_text.done', { summary_index: 0, text: 'S' }),
        textEvent('reasoning_summary_part.done', { summary_index: 0, part: summary }),
        textEvent('reasoning_text.delta', { delta: 'R' }),
        textEvent('reasoning_text.done', { text: 'R' }),
        done(0, { type: 'reasoning', id: 'm1', summary: [summary], content: [{ type: 'reasoning_text', text: 'R' }] }),
        { ...textEvent('refusal.delta', { delta: 'No' }), output_index: 1, item_id: 'm2' },
        { ...textEvent('refusal.done', { refusal: 'No' }), output_index: 1, item_id: 'm2' },
        done(1, { ...message({ type: 'refusal', refusal: 'No' }), id: 'm2' }),
      ),
    ).toEqual([
      said('reasoning', 'S'),
      said('reasoning', 'R'),
      said('refusal', 'No'),
      retold('reasoning', 'SR'),
      retold('refusal', 'No'),
    ])
  })

  it('is told by the ids of its items where a server leaves indexes out', () => {
    const second = { ...message(outputText('B')), id: 'm2' }
    expect(
      only(
        read(
          added(0, message()),
          textEvent('output_text.delta', { delta: 'A' }),
          done(undefined, message(outputText('A'))),
          added(1, { ...message(), id: 'm2' }),
          done(undefined, second),
        ),
        'text',
      ),
    ).toEqual([said('text', 'A'), said('text', 'B')])
  })

  it('goes on with the last item where a server leaves all places out', () => {
    expect(
      only(
        read(
          bare('delta', { delta: 'Hi' }),
          bare('delta', { delta: ' you' }),
          bare('done', { text: 'Hi you' }),
          ended('completed', { output: [message(outputText('Hi you'))] }),
        ),
        'text',
      ),
    ).toEqual([said('text', 'Hi'), said('text', ' you')])
  })

  it('of two messages under one index is the text of both', () => {
    expect(
      only(
        read(
          added(0, message()),
          done(0, message(outputText('A'))),
          added(0, { ...message(), id: 'm2' }),
          done(0, { ...message(outputText('B')), id: 'm2' }),
        ),
        'text',
      ),
    ).toEqual([said('text', 'A'), said('text', 'B')])
  })
})

describe('the end', () => {
  it.each<[string, object, string, string]>([
    ['completed', {}, 'completed', 'clean'],
    ['incomplete', { incomplete_details: { reason: 'max_output_tokens' } }, 'max_output_tokens', 'length'],
    ['incomplete', { incomplete_details: { reason: 'content_filter' } }, 'content_filter', 'filter'],
    ['incomplete', { incomplete_details: { reason: 'new_reason' } }, 'new_reason', 'stopped'],
    ['incomplete', {}, 'incomplete', 'stopped'],
    ['failed', {}, 'failed', 'error'],
    ['cancelled', {}, 'cancelled', 'stopped'],
  ])('%s %j is %s, %s', (status, fields, raw, kind) => {
    expect(read(ended(status, fields))).toEqual([finished(raw, kind), end])
  })

  it('is told by the status of the response where a gateway has one event for every end', () => {
    const gateway = (status?: string): WireDelta[] => read({ type: 'response.done', response: { status, output: [] } })
    expect(gateway('completed')).toEqual([finished('completed', 'clean'), end])
    expect(gateway('failed')).toEqual([finished('failed', 'error'), end])
    expect(gateway()).toEqual([end])
  })

  it('is known by the event where the response is missing', () => {
    expect(read({ type: 'response.completed' })).toEqual([finished('completed', 'clean'), end])
  })

  it('has the token counts', () => {
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }
    expect(read(ended('completed', { usage }))[0]).toEqual({
      type: 'usage',
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3, raw: usage },
    })
  })

  it('reports an error once, whether it comes as an event, in the response, or as both', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down' }
    const event = { type: 'error', sequence_number: 4, error: { type: 'tokens', ...error } }
    const flat = { type: 'error', sequence_number: 4, param: null, ...error }
    expect(only(read(event, ended('failed', { error })), 'error')).toMatchObject([{ error }])
    expect(only(read(flat, ended('failed', { error })), 'error')).toMatchObject([{ error }])
    expect(only(read(ended('failed', { error })), 'error')).toMatchObject([{ error: { ...error, raw: error } }])
    expect(only(read(event, ended('failed', { error: { ...error, message: 'Other' } })), 'error')).toHaveLength(2)
  })

  it('counts every event', () => {
    expect(
      read({ type: 'response.created', sequence_number: 0, response: {} }, { type: 'ping', sequence_number: 1 }),
    ).toEqual([
      { type: 'sequence', number: 0 },
      { type: 'sequence', number: 1 },
    ])
    expect(read({ type: 'response.created', sequence_number: 1.5 })).toEqual([])
  })
})

describe('a whole response', () => {
  it('is read from a body', () => {
    const thought = {
      type: 'reasoning',
      id: 'rs1',
      encrypted_content: 'g',
      summary: [{ type: 'summary_text', text: 'S' }],
    }
    const output = [
      thought,
      call({ arguments: '{"x":1}' }),
      { type: 'message', id: 'm1', content: [{ type: 'output_text', text: 'Hi' }] },
      { type: 'web_search_call', id: 'i1', action: { type: 'search' } },
    ]
    expect(read({ object: 'response', status: 'completed', error: null, output })).toEqual([
      said('reasoning', 'S'),
      opened(1, { wireIndex: 1, extra: { reasoning: [thought] } }),
      repeated(1, '{"x":1}'),
      closed(1),
      said('text', 'Hi'),
      {
        type: 'server-call',
        call: { id: 'i1', name: 'web_search_call', kind: 'web_search_call', argumentsText: '{"type":"search"}' },
      },
      finished('completed', 'clean'),
    ])
  })

  it('has no ending while it is being made', () => {
    expect(read({ object: 'response', status: 'in_progress', output: [] })).toEqual([])
  })
})

describe('detection', () => {
  it('takes its events, numbered errors and responses', () => {
    expect(detects({ type: 'response.created', response: {} })).toBe(true)
    expect(detects({ type: 'error', sequence_number: 0, message: 'x' })).toBe(true)
    expect(detects({ object: 'response', output: [] })).toBe(true)
  })

  it('leaves other formats alone', () => {
    expect(detects({ type: 'error', error: { type: 'overloaded_error' } })).toBe(false)
    expect(detects({ object: 'chat.completion.chunk', choices: [] })).toBe(false)
    expect(detects({ output: { message: {} }, stopReason: 'x' })).toBe(false)
  })

  it('is silent on events of the future and reports what is none', () => {
    expect(read({ type: 'response.dreaming', output_index: 0 })).toEqual([])
    expect(read({ a: 1 })).toMatchObject([{ type: 'warning' }])
    expect(read({ error: { message: 'bad key', code: 'invalid_api_key' } })).toMatchObject([
      { type: 'error', error: { code: 'invalid_api_key' } },
    ])
  })
})
