// Prints what JSON.parse, jsonrepair, partial-json and this library make of arguments as models write them, as a Markdown table.
//   npm run compare-arguments
import * as library from '../dist/index.js'
import { argumentsTable } from './readme/arguments.mjs'

console.log(argumentsTable(library))
