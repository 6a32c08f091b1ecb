/** Painting: lines that change in place on a terminal, plain lines elsewhere, and a table. */

const isTerminal = process.stdout.isTTY
const hasColor = isTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
const width = Math.max(80, Math.min(process.stdout.columns ?? 120, 160))

const paint = (code) => (text) => (hasColor ? `\u001b[${code}m${text}\u001b[0m` : text)
export const style = {
  bold: paint('1'),
  dim: paint('2'),
  red: paint('31'),
  green: paint('32'),
  yellow: paint('33'),
  cyan: paint('36'),
}

export function print(line = '') {
  process.stdout.write(`${line}\n`)
}

/** Lines that are shown by key. On a terminal they change in place; elsewhere each change that `keep` marks is a new line. */
export function liveLines() {
  const lines = new Map()
  const repaint = (isNew) => {
    const up = lines.size - (isNew ? 1 : 0)
    if (up > 0) process.stdout.write(`\u001b[${up}A`)
    for (const line of lines.values()) process.stdout.write(`\u001b[2K${line}\n`)
  }
  return {
    show(key, text, keep = false) {
      if (!isTerminal) {
        if (keep) print(`  ${text}`)
        return
      }
      const isNew = !lines.has(key)
      lines.set(key, `  ${clip(text, width - 4)}`)
      repaint(isNew)
    },
  }
}

/** The end of a text that fits into a column, on one line. */
export function tail(text, size) {
  const units = Array.from(JSON.stringify(text).slice(1, -1))
  return units.length <= size ? units.join('') : `…${units.slice(1 - size).join('')}`
}

function clip(text, size) {
  const units = Array.from(text)
  return units.length <= size ? text : `${units.slice(0, size - 1).join('')}…`
}

/** Rows of plain texts under a head. The last column takes what is left and wraps; `color` gets each row's cells by column. */
export function table(head, rows, color) {
  const fixed = head.slice(0, -1).map((title, n) => Math.max(title.length, ...rows.map((row) => row[n].length)))
  const last = Math.max(30, width - fixed.reduce((sum, size) => sum + size + 2, 0))
  const paintRow = (cells, paintCell) => {
    const lines = wrap(cells.at(-1), last)
    for (const [n, line] of lines.entries()) {
      const start = fixed.map((size, column) => {
        return n === 0 ? paintCell(cells[column].padEnd(size), column) : ' '.repeat(size)
      })
      print([...start, paintCell(line, head.length - 1)].join('  ').trimEnd())
    }
  }
  paintRow(head, (text) => style.bold(text))
  print([...fixed, last].map((size) => '-'.repeat(size)).join('  '))
  for (const row of rows) paintRow(row, (text, column) => color(text, column, row))
}

function wrap(text, size) {
  const lines = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > size) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
      while (line.length > size) {
        lines.push(line.slice(0, size))
        line = line.slice(size)
      }
    }
    lines.push(line)
  }
  return lines
}
