// Calls written in a model's text: the scanner, and the formats that it reads as data.

export { createTextScanner } from './assembly/text-scanner.ts'
export type { TextResult, TextScanner, TextScannerOptions } from './assembly/text-scanner.ts'
export { importResponseTemplate } from './text/response-template.ts'
export { renderCall, renderCalls, renderResponse } from './text/render.ts'
export type { WrittenCall } from './text/render.ts'
export { textFormat, textFormats, usualFormats } from './text/registry.ts'
export type { TextOptions, TextPolicy } from './text/options.ts'
export type { Enclosure, Header, Layout, Pair, Shape, TextFormat, ValueTrim } from './text/row.ts'
