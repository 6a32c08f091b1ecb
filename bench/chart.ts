// Draws what a reader wants to see first as an SVG: the throughput against the floor, the peers against ours, and the memory.

import type { Row } from './ratio.ts'
import type { Table } from './suite.ts'

export type Results = Readonly<Record<string, readonly Table[]>>

interface Panel {
  readonly title: string
  readonly bars: readonly Bar[]
  /** Where 1 is marked by a line: what everything is measured against. */
  readonly mark: boolean
  readonly logarithmic: boolean
  readonly unit: string
}

interface Bar {
  readonly label: string
  readonly value: number
  readonly ours: boolean
}

const width = 840
const labelWidth = 350
const valueWidth = 70
const rowHeight = 19
const titleHeight = 34
const margin = 14

/** Panels of suites that were not run are left out. */
export function chart(results: Results): string {
  const panels = [throughput(results), ...peers(results), memory(results)].filter(({ bars }) => bars.length > 0)
  let y = margin
  const parts = panels.map((panel) => {
    const part = draw(panel, y)
    y += titleHeight + panel.bars.length * rowHeight + margin
    return part
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="12" role="img">
<style>
.paper { fill: #ffffff } text { fill: #1f2328 } .title { font-weight: 600; font-size: 13px } .value { fill: #59636e }
.bar { fill: #8c959f } .ours { fill: #1a7f37 } .mark { stroke: #59636e; stroke-dasharray: 3 3 }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117 } text { fill: #e6edf3 } .value { fill: #9198a1 }
.bar { fill: #6e7681 } .ours { fill: #3fb950 } .mark { stroke: #9198a1 }
}
</style>
<rect class="paper" width="${width}" height="${y}" rx="6"/>
${parts.join('\n')}
</svg>
`
}

/** Our row of each table; the floor is 1 in all of them, so it is the line. */
function throughput({ throughput: tables = [] }: Results): Panel {
  const bars = tables
    .filter(({ rows }) => rows[0]?.name === 'floor')
    .flatMap(({ title, rows }) =>
      rows.slice(1, 2).map(({ ratio }) => ({ label: shortened(title), value: ratio, ours: true })),
    )
  return {
    title: 'CPU time, where TextDecoder + eventsource-parser + JSON.parse + append take 1 (less is better)',
    bars,
    mark: true,
    logarithmic: false,
    unit: '×',
  }
}

/** The first table of each wire, and those of the live views. */
function peers({ peers: tables = [] }: Results): readonly Panel[] {
  const wires = ['openai-chat', 'anthropic'].flatMap((wire) =>
    tables.filter(({ title }) => title.startsWith(`${wire}: `) && !title.includes('looked at')).slice(0, 1),
  )
  const views = tables.filter(({ title }) => title.includes('looked at'))
  return [...wires, ...views].map(({ title, rows }) => ({
    title: `CPU time, where ours takes 1 (logarithmic): ${shortened(title)}`,
    bars: rows.map((row) => barOf(row)),
    mark: false,
    logarithmic: true,
    unit: '×',
  }))
}

function memory({ memory: tables = [] }: Results): Panel {
  const bars = tables
    .filter(({ title, unit }) => unit === 'B/B' && title.includes('4-character'))
    .flatMap(({ title, rows }) => {
      const what = title.includes('streams') ? 'many streams' : 'one long call'
      return rows.slice(0, 2).map((row) => ({ ...barOf(row), label: `${row.name}, ${what}` }))
    })
  return {
    title: 'Bytes held per byte of arguments while the stream is on its way (less is better)',
    bars,
    mark: false,
    logarithmic: false,
    unit: 'B',
  }
}

function barOf({ name, ratio }: Row): Bar {
  return { label: name, value: ratio, ours: name.startsWith('ours') }
}

/** Titles say everything, since they stand alone in the results; under a heading less will do. */
function shortened(title: string): string {
  return title
    .replace(' of arguments', '')
    .replace('-character deltas', ' chars/delta')
    .replace(', 16384 B chunks', '')
    .replace('interleaved calls of', 'calls of')
    .replace(', from a response', '')
}

function draw({ title, bars, mark, logarithmic, unit }: Panel, top: number): string {
  const room = width - labelWidth - valueWidth - margin
  const most = Math.max(...bars.map(({ value }) => value), mark ? 1 : 0)
  // Half of the least is where a logarithmic bar begins, so that the least can be seen.
  const least = Math.min(...bars.map(({ value }) => value)) / 2
  const length = (value: number): number =>
    logarithmic ? (room * Math.log(value / least)) / Math.log(most / least) : (room * value) / most
  const left = labelWidth + 8
  const first = top + titleHeight
  const rows = bars.map(({ label, value, ours }, n) => {
    const y = first + n * rowHeight
    const end = length(value)
    return [
      `<text x="${labelWidth}" y="${y + 11}" text-anchor="end">${escape(label)}</text>`,
      `<rect class="${ours ? 'ours' : 'bar'}" x="${left}" y="${y}" width="${Math.max(1, end).toFixed(1)}" height="13" rx="2"/>`,
      `<text class="value" x="${(left + end + 6).toFixed(1)}" y="${y + 11}">${digits(value)} ${unit}</text>`,
    ].join('')
  })
  const x = (left + length(1)).toFixed(1)
  const line = mark
    ? `<line class="mark" x1="${x}" x2="${x}" y1="${first - 4}" y2="${first + bars.length * rowHeight - 2}"/>`
    : ''
  return `<text class="title" x="${margin}" y="${top + 16}">${escape(title)}</text>\n${rows.join('\n')}\n${line}`
}

function digits(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0)
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
