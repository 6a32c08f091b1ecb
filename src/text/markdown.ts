/**
 * Tells whether a place in a text is quoted: in a Markdown code fence, in a code span, or behind an opening quotation mark. Follows
 * CommonMark's rules for fences (https://spec.commonmark.org/0.31.2/#fenced-code-blocks). A code span ends with its line here: a
 * stray backtick must not hide the calls of the paragraphs after it.
 */

export interface Markdown {
  /** The fence that is open: its character, and its length at the least. Empty for none. */
  fence: string
  /** The length of the backtick run that opened a code span in this line; 0 for none. */
  span: number
  /** The run of backticks or tildes that is being read. */
  run: string
  /** Where in its line the text is: before anything but up to three spaces, behind a run that opened the line, or further. */
  line: 'start' | 'run' | 'inside'
  /** Spaces at the start of the line so far. */
  indent: number
  /** The last two characters, for quotation marks. */
  last: string
}

export function createMarkdown(): Markdown {
  return { fence: '', span: 0, run: '', line: 'start', indent: 0, last: '' }
}

/** Whether text that follows now is code. */
export function isCode(state: Markdown): boolean {
  if (state.fence !== '') return true
  // A run that is still growing at the start of a line is taken as the fence that it may become.
  return state.span > 0 ? state.run.length !== state.span : state.run !== ''
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
  const isFenceCharacter = character === '`' || character === '~'
  if (isFenceCharacter && (state.run === '' || state.run.startsWith(character))) {
    if (character === '~' && state.line === 'inside') return
    state.run += character
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
  } else if (state.line === 'start') {
    if (character === ' ' && state.indent < 3) state.indent++
    else state.line = 'inside'
  }
}

function endRun(state: Markdown, next: string): void {
  const { run } = state
  state.run = ''
  const leads = state.line === 'run'
  state.line = 'inside'
  if (state.fence !== '') {
    const closes = leads && run.startsWith(state.fence) && (next === '\n' || next === ' ' || next === '\r')
    if (closes) state.fence = ''
  } else if (leads && run.length >= 3) {
    state.fence = run
  } else if (run.startsWith('`')) {
    if (state.span === 0) state.span = run.length
    else if (state.span === run.length) state.span = 0
  }
}
