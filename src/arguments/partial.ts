// The live view: the value of some arguments while their text is still streaming in, for display. A strict JSON tokenizer that
// goes on where it stopped, so that each character is looked at once, whatever the size of the deltas.
// It answers to nobody else: arguments that a tool gets come from one parse of the whole text.

import type { Change } from '../model/events.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { TextBuilder } from './builder.ts'
import { escapedLetters } from './escapes.ts'
import { setOwn } from './json.ts'
import { escapePointer } from './pointer.ts'

export interface PartialView {
  /**
   * Takes the next piece of the text and says what it did to the value. The changes of all pieces, applied in order to an empty
   * document, give `value`. A string appears with its first quote and grows; a number appears with the character after it, `true`,
   * `false` and `null` with their last letter. A repeated key is set again. Never throws. Where the text
   * stops being a strict JSON object, the view keeps what it had, and returns no changes any more.
   */
  append(text: string): readonly Change[]
  /**
   * What has arrived, as a snapshot that never changes: of a text that could be closed here, it equals `JSON.parse` of the closed
   * text. `undefined` as long as no object has begun. Reading it copies the containers that are still open and shares the
   * finished ones, and takes strings as they are; between two changes it is the same object.
   */
  readonly value: JsonObject | undefined
}

/** Makes an empty view. An object or array nested deeper than `maxDepth` stops it, as it would stop the parser. */
export function createPartialView(maxDepth: number): PartialView {
  return new PartialReader(maxDepth)
}

/** A container that is not closed yet. It enters its parent when it closes, so that what hangs in a tree is finished. */
interface OpenContainer {
  readonly items: Record<string, JsonValue> | JsonValue[]
  /** JSON Pointer of the container, and of the value that is being read inside it. */
  readonly path: string
  slotPath: string
  /** The key of that value. Meaningless in an array, where the next value goes to the end. */
  key: string
}

/** What the next character may be. The modes from `string` on are inside a token that may span pieces. */
type Mode =
  | 'root'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'first-item'
  | 'value'
  | 'after-value'
  | 'after-root'
  | 'stopped'
  | 'string'
  | 'escape'
  | 'unicode'
  | 'number'
  | 'literal'

/** How far a number is: after its minus sign, a leading zero, other integer digits, the point, its digits, `e`, its sign, its digits. */
type NumberState =
  | 'minus'
  | 'zero'
  | 'integer'
  | 'point'
  | 'fraction'
  | 'exponent'
  | 'exponent-sign'
  | 'exponent-digits'

const literals = { t: 'true', f: 'false', n: 'null' } as const
const literalValues = { true: true, false: false, null: null } as const
const noChanges: readonly Change[] = Object.freeze([])

class PartialReader implements PartialView {
  readonly #maxDepth: number
  #mode: Mode = 'root'
  /** From the root to the innermost open container. Empty before the root opens and after it closes. */
  readonly #open: OpenContainer[] = []
  /** The root, once it is closed. */
  #root: JsonObject | undefined
  /** What the current `append` has done so far. */
  #changes: Change[] = []
  #snapshot: JsonObject | undefined

  /** The open string value as far as announced. Set by its opening quote, cleared by its closing one; kept where the view stops inside. */
  #leaf: TextBuilder | undefined
  /** Whether the open string value has had its `set`. */
  #leafAnnounced = false
  /** Text of the open string that no change has told yet; of a key, all its text. */
  #fresh = ''
  /** Hexadecimal digits of an unfinished `\u` escape: how many, and their value. */
  #unicodeDigits = 0
  #unicodeValue = 0
  #numberText = ''
  #numberState: NumberState = 'minus'
  #literal: (typeof literals)[keyof typeof literals] = 'null'
  #literalLength = 0

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth
  }

  append(text: string): readonly Change[] {
    if (this.#mode === 'stopped') return noChanges
    this.#changes = []
    let at = 0
    while (at < text.length) at = this.#read(text, at)
    if (this.#leaf) this.#tellLeaf(this.#leaf)
    if (this.#changes.length === 0) return noChanges
    this.#snapshot = undefined
    return this.#changes
  }

  get value(): JsonObject | undefined {
    this.#snapshot ??= this.#takeSnapshot()
    return this.#snapshot
  }

  /** Reads a token, the rest of one, or one structural character, and returns where the next begins. */
  #read(text: string, at: number): number {
    switch (this.#mode) {
      case 'string':
        return this.#readString(text, at)
      case 'number':
        return this.#readNumber(text, at)
      case 'escape':
        this.#readEscape(text.charAt(at))
        return at + 1
      case 'unicode':
        this.#readUnicode(text.charCodeAt(at))
        return at + 1
      case 'literal':
        this.#readLiteral(text.charAt(at))
        return at + 1
      case 'stopped':
        return text.length
      default:
        this.#readStructure(text.charAt(at), this.#mode)
        return at + 1
    }
  }

  #readStructure(char: string, mode: Mode): void {
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') return
    switch (mode) {
      case 'root':
        if (char === '{') return this.#openContainer({}, 'first-key')
        break
      case 'first-key':
        if (char === '}') return this.#closeContainer()
        if (char === '"') return this.#openString(true)
        break
      case 'key':
        if (char === '"') return this.#openString(true)
        break
      case 'colon':
        if (char === ':') return void (this.#mode = 'value')
        break
      case 'first-item':
        if (char === ']') return this.#closeContainer()
        return this.#openValue(char)
      case 'value':
        return this.#openValue(char)
      case 'after-value':
        return this.#readAfterValue(char)
      default:
    }
    this.#mode = 'stopped'
  }

  #readAfterValue(char: string): void {
    const inArray = Array.isArray(this.#open.at(-1)?.items)
    if (char === ',') this.#mode = inArray ? 'value' : 'key'
    else if (char === (inArray ? ']' : '}')) this.#closeContainer()
    else this.#mode = 'stopped'
  }

  #openValue(char: string): void {
    const parent = this.#open.at(-1)
    if (parent !== undefined && Array.isArray(parent.items)) parent.slotPath = `${parent.path}/${parent.items.length}`
    if (char === '"') this.#openString(false)
    else if (char === '{') this.#openContainer({}, 'first-key')
    else if (char === '[') this.#openContainer([], 'first-item')
    else if (char === 't' || char === 'f' || char === 'n') {
      this.#literal = literals[char]
      this.#literalLength = 1
      this.#mode = 'literal'
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      this.#numberText = char
      this.#numberState = char === '-' ? 'minus' : char === '0' ? 'zero' : 'integer'
      this.#mode = 'number'
    } else this.#mode = 'stopped'
  }

  #openContainer(items: OpenContainer['items'], mode: 'first-key' | 'first-item'): void {
    if (this.#open.length >= this.#maxDepth) {
      this.#mode = 'stopped'
      return
    }
    const path = this.#open.at(-1)?.slotPath ?? ''
    this.#open.push({ items, path, slotPath: path, key: '' })
    // The reader of the change gets a container of its own: he may grow it, and ours grows too.
    this.#changes.push({ op: 'set', path, value: Array.isArray(items) ? [] : {} })
    this.#mode = mode
  }

  #closeContainer(): void {
    const closed = this.#open.pop()
    if (closed === undefined) return
    const parent = this.#open.at(-1)
    if (parent === undefined) {
      // Only an object opens as the root, so a container without a parent is one.
      this.#root = closed.items as JsonObject
      this.#mode = 'after-root'
    } else {
      store(parent, closed.items)
      this.#mode = 'after-value'
    }
  }

  #openString(inKey: boolean): void {
    this.#leaf = inKey ? undefined : new TextBuilder()
    this.#leafAnnounced = false
    this.#fresh = ''
    this.#mode = 'string'
  }

  #readString(text: string, from: number): number {
    let at = from
    let unit = 0
    for (; at < text.length; at++) {
      unit = text.charCodeAt(at)
      if (unit === 0x22 || unit === 0x5c || unit < 0x20) break
    }
    if (at > from) this.#fresh += text.slice(from, at)
    if (at === text.length) return at
    if (unit === 0x22) this.#closeString()
    else this.#mode = unit === 0x5c ? 'escape' : 'stopped'
    return at + 1
  }

  #closeString(): void {
    if (this.#leaf === undefined) {
      const parent = this.#open.at(-1)
      if (parent !== undefined) {
        parent.key = this.#fresh
        parent.slotPath = `${parent.path}/${escapePointer(this.#fresh)}`
      }
      this.#mode = 'colon'
      return
    }
    this.#tellLeaf(this.#leaf)
    this.#storeValue(this.#leaf.toString())
    this.#leaf = undefined
  }

  #readEscape(char: string): void {
    const meaning = escapedLetters.get(char)
    if (meaning !== undefined) {
      this.#fresh += meaning
      this.#mode = 'string'
    } else if (char === 'u') {
      this.#unicodeDigits = 0
      this.#unicodeValue = 0
      this.#mode = 'unicode'
    } else this.#mode = 'stopped'
  }

  #readUnicode(unit: number): void {
    const digit = hexDigit(unit)
    if (digit === undefined) {
      this.#mode = 'stopped'
      return
    }
    this.#unicodeValue = this.#unicodeValue * 16 + digit
    this.#unicodeDigits++
    if (this.#unicodeDigits < 4) return
    this.#fresh += String.fromCharCode(this.#unicodeValue)
    this.#mode = 'string'
  }

  #readNumber(text: string, from: number): number {
    let at = from
    for (; at < text.length; at++) {
      const next = nextNumberState(this.#numberState, text.charAt(at))
      if (next === undefined) break
      this.#numberState = next
    }
    this.#numberText += text.slice(from, at)
    if (at === text.length) return at
    // Only what may follow a value ends a number: `1x` is none.
    if (isWholeNumber(this.#numberState) && ' \n\r\t,]}'.includes(text.charAt(at)))
      this.#setValue(Number(this.#numberText))
    else this.#mode = 'stopped'
    return at
  }

  #readLiteral(char: string): void {
    if (char !== this.#literal.charAt(this.#literalLength)) {
      this.#mode = 'stopped'
      return
    }
    this.#literalLength++
    if (this.#literalLength === this.#literal.length) this.#setValue(literalValues[this.#literal])
  }

  /** Tells what the open string value gained in this piece. */
  #tellLeaf(leaf: TextBuilder): void {
    const path = this.#open.at(-1)?.slotPath ?? ''
    if (!this.#leafAnnounced) this.#changes.push({ op: 'set', path, value: this.#fresh })
    else if (this.#fresh !== '') this.#changes.push({ op: 'append', path, text: this.#fresh })
    this.#leafAnnounced = true
    leaf.append(this.#fresh)
    this.#fresh = ''
  }

  #setValue(value: number | boolean | null): void {
    this.#changes.push({ op: 'set', path: this.#open.at(-1)?.slotPath ?? '', value })
    this.#storeValue(value)
  }

  #storeValue(value: JsonValue): void {
    const parent = this.#open.at(-1)
    if (parent !== undefined) store(parent, value)
    this.#mode = 'after-value'
  }

  #takeSnapshot(): JsonObject | undefined {
    let inner: JsonValue | undefined = this.#leaf?.toString()
    for (let depth = this.#open.length - 1; depth >= 0; depth--) {
      const container = this.#open[depth]
      if (container === undefined) continue
      const items = Array.isArray(container.items) ? [...container.items] : { ...container.items }
      if (inner !== undefined) store({ items, key: container.key }, inner)
      inner = items
    }
    // The outermost open container is the root, which is an object.
    return this.#root ?? (inner as JsonObject | undefined)
  }
}

function store(parent: Pick<OpenContainer, 'items' | 'key'>, value: JsonValue): void {
  const { items, key } = parent
  if (Array.isArray(items)) items.push(value)
  else setOwn(items, key, value)
}

function hexDigit(unit: number): number | undefined {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30
  const letter = unit | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : undefined
}

/** Source: https://www.rfc-editor.org/rfc/rfc8259#section-6 */
function nextNumberState(state: NumberState, char: string): NumberState | undefined {
  const isDigit = char >= '0' && char <= '9'
  switch (state) {
    case 'minus':
      return isDigit ? (char === '0' ? 'zero' : 'integer') : undefined
    case 'integer':
      if (isDigit) return 'integer'
      return afterInteger(char)
    case 'zero':
      return afterInteger(char)
    case 'point':
      return isDigit ? 'fraction' : undefined
    case 'fraction':
      if (isDigit) return 'fraction'
      return char === 'e' || char === 'E' ? 'exponent' : undefined
    case 'exponent':
      if (char === '+' || char === '-') return 'exponent-sign'
      return isDigit ? 'exponent-digits' : undefined
    case 'exponent-sign':
    case 'exponent-digits':
      return isDigit ? 'exponent-digits' : undefined
    default:
      return state satisfies never
  }
}

function afterInteger(char: string): NumberState | undefined {
  if (char === '.') return 'point'
  return char === 'e' || char === 'E' ? 'exponent' : undefined
}

function isWholeNumber(state: NumberState): boolean {
  return state === 'zero' || state === 'integer' || state === 'fraction' || state === 'exponent-digits'
}
