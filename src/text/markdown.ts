// Tells whether a place in a text is quoted: in a Markdown code fence, in a code span, or behind an opening quotation mark. Follows
// CommonMark's rules for fences (https://spec.commonmark.org/0.31.2/#fenced-code-blocks). A code span ends with its line here: a
// stray backtick must not hide the calls of the paragraphs after it.

export interface Markdown {
  /** The character of the open fence, and how long that fence is. Empty and 0 for none. */
  fence: string
  fenceLength: number
  /** The length of the backtick run that opened a code span in this line; 0 for none. */
  span: number
  /** The character of the run of backticks or tildes that is being read, and its length so far. Empty and 0 for none. */
  run: string
  runLength: number
  /** Where in its line the text is: before anything but up to three spaces, behind a run that opened the line, or further. */
  line: 'start' | 'run' | 'inside'
  /** Spaces at the start of the line so far. */
  indent: number
  /** The last two characters, for quotation marks. */
  last: string
}

export function createMarkdown(): Markdown {
  return { fence: '', fenceLength: 0, span: 0, run: '', runLength: 0, line: 'start', indent: 0, last: '' }
}

/** Whether text that follows now is code. */
export function isCode(state: Markdown): boolean {
  if (state.fence !== '') return true
  // A run that is still growing is taken as the opening that it may become.
  return state.span > 0 ? state.runLength !== state.span : state.run === '`' || state.runLength >= 3
}

const openingQuote = /(?:^|[\s([{:,>])["'`]$|[“‘«„]$/

/** Whether text that follows now stands right behind an opening quotation mark. */
export function isQuoted(state: Markdown): boolean {
  return openingQuote.test(state.last)
}

const special = /[`~\n]/

/** Reads `text` from `from`. With `untilPlain`, stops where code ends. Returns the index up to which it read. */
export function readMarkdown(state: Markdown, text: string, from = 0, untilPlain = false): number {
  let i = from
  if (!untilPlain && state.run === '' && state.line === 'inside' && !special.test(text)) i = text.length
  for (; i < text.length; i++) {
    readCharacter(state, text.charAt(i))
    if (untilPlain && !isCode(state)) {
      i++
      break
    }
  }
  if (i > from) state.last = (state.last + text.slice(Math.max(from, i - 2), i)).slice(-2)
  return i
}

function readCharacter(state: Markdown, character: string): void {
  const isMark = character === '`' || (character === '~' && state.line !== 'inside')
  if (isMark && (state.run === '' || state.run === character)) {
    state.run = character
    state.runLength++
    if (state.line === 'start') state.line = 'run'
    return
  }
  if (state.run !== '') endRun(state, character)
  if (character === '\n') {
    state.span = 0
    state.line = 'start'
    state.indent = 0
  } else if (character === '`') {
    state.run = character
    state.runLength = 1
  } else if (state.line === 'start') {
    if (character === ' ' && state.indent < 3) state.indent++
    else state.line = 'inside'
  }
}

function endRun(state: Markdown, next: string): void {
  const { run, runLength } = state
  const leads = state.line === 'run'
  state.run = ''
  state.runLength = 0
  state.line = 'inside'
  if (state.fence !== '') {
    const closes = leads && run === state.fence && runLength >= state.fenceLength && ' \n\r'.includes(next)
    if (closes) state.fence = ''
  } else if (leads && runLength >= 3) {
    state.fence = run
    state.fenceLength = runLength
  } else if (run === '`') {
    if (state.span === 0) state.span = runLength
    else if (state.span === runLength) state.span = 0
  }
}
