// Prints what bundles of the library come to, as a Markdown table.
//   npm run size
import { sizeTable } from './readme/size.mjs'

console.log(await sizeTable())
