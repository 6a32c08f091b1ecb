// Draws the results as an SVG: a bar for every row, against its table's baseline.

import type { Table } from './suite.ts'

const width = 860
const labelWidth = 380
const rowHeight = 18
const titleHeight = 30

export function chart(results: Readonly<Record<string, readonly Table[]>>): string {
  const tables = Object.values(results).flat()
  const height = tables.reduce((sum, { rows }) => sum + titleHeight + rows.length * rowHeight, 24)
  let y = 12
  const parts = tables.map((table) => {
    const part = drawTable(table, y)
    y += titleHeight + table.rows.length * rowHeight
    return part
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
<style>text{fill:#1f2328}.title{font-weight:600}.bar{fill:#8c959f}.ours{fill:#1a7f37}.axis{stroke:#d0d7de}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.bar{fill:#6e7681}.ours{fill:#3fb950}.axis{stroke:#30363d}}</style>
${parts.join('\n')}
</svg>
`
}

/** The scale is logarithmic where the rows differ by more than a hundredfold. */
function drawTable({ title, rows }: Table, top: number): string {
  const most = Math.max(...rows.map(({ ratio }) => ratio), 1)
  const least = Math.min(...rows.map(({ ratio }) => ratio), 1)
  const logarithmic = most / least > 100
  const room = width - labelWidth - 90
  const length = (ratio: number): number =>
    logarithmic ? (room * Math.log10((10 * ratio) / least)) / Math.log10((10 * most) / least) : (room * ratio) / most
  const bars = rows.map(({ name, ratio }, n) => {
    const y = top + titleHeight + n * rowHeight
    const kind = name.startsWith('ours') ? 'ours' : 'bar'
    const x = labelWidth + 8
    return `<text x="${labelWidth}" y="${y}" text-anchor="end">${escape(name)}</text><rect class="${kind}" x="${x}" y="${y - 11}" width="${Math.max(1, length(ratio)).toFixed(1)}" height="13"/><text x="${(x + length(ratio) + 6).toFixed(1)}" y="${y}">${ratio.toFixed(2)} ×</text>`
  })
  const scale = logarithmic ? ' (logarithmic)' : ''
  return `<text class="title" x="8" y="${top + 12}">${escape(title + scale)}</text>\n${bars.join('\n')}`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
