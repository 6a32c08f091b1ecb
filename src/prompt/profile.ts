// What a tool is about, in words: those of its name, its parameters and its description, each with what it counts.

import type { CompiledTool } from '../model/compiled.ts'
import { declaredKeys } from '../text/parameter-types.ts'
import { contentWords, type Lexicon } from './lexicon.ts'
import { stem } from './words.ts'

/** Where a word of a tool stands, the strongest place first. */
export type Place = 'name' | 'description' | 'parameter' | 'example'

export interface Mark {
  readonly place: Place
  /** The tool's word that stands there. */
  readonly word: string
  readonly weight: number
}

/** What a tool is about. Each word and each concept counts once, where it counts most. */
export interface Profile {
  readonly name: string
  readonly stems: ReadonlyMap<string, Mark>
  readonly concepts: ReadonlyMap<string, Mark>
}

/** Examples name what the tool is not about: a city, a person, a file. */
const weights: { readonly [P in Place]: number } = { name: 1, description: 0.6, parameter: 0.5, example: 0.3 }
/** Another word for the same thing is a little less than the word. */
const conceptWeight = 0.8

export function profileOf(tool: CompiledTool, { inTools }: Lexicon): Profile {
  const stems = new Map<string, Mark>()
  const concepts = new Map<string, Mark>()
  for (const { place, text } of texts(tool)) {
    for (const word of contentWords(text)) {
      const mark = { place, word, weight: weights[place] }
      raise(stems, stem(word), mark)
      for (const concept of inTools.get(stem(word)) ?? [])
        raise(concepts, concept, { ...mark, weight: mark.weight * conceptWeight })
    }
  }
  return { name: tool.name, stems, concepts }
}

function raise(marks: Map<string, Mark>, key: string, mark: Mark): void {
  const known = marks.get(key)
  if (known === undefined || known.weight < mark.weight) marks.set(key, mark)
}

function texts({ name, description = '', jsonSchema }: CompiledTool): readonly { place: Place; text: string }[] {
  const { body, examples } = splitExamples(description)
  return [
    { place: 'name', text: name },
    { place: 'description', text: body },
    { place: 'parameter', text: declaredKeys(jsonSchema).join(' ') },
    { place: 'example', text: examples },
  ]
}

function splitExamples(description: string): { readonly body: string; readonly examples: string } {
  const examples: string[] = []
  const body = description.replace(/\b(?:e\.g\.|for example|such as|for instance|like)[^.;)]*/gi, (example) => {
    examples.push(example)
    return ' '
  })
  return { body, examples: examples.join(' ') }
}
