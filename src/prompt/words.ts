// Words as the selection of tools compares them: without case, accents and endings. Light on purpose: no dictionary, no
// dependency.

/**
 * Words in lower case, without accents; identifiers come apart at case changes, digits and punctuation. Scripts that put no spaces
 * between words come in pairs of characters, which is how far one gets without a dictionary.
 */
export function words(text: string): readonly string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    // Apostrophes inside words: "what's" is one word, and a stop word.
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
    .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
  return (plain.match(/\p{L}+/gu) ?? []).flatMap((word) => (unspaced.test(word) ? pairs(word) : [word.toLowerCase()]))
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

function pairs(run: string): readonly string[] {
  const characters = Array.from(run)
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, n) => `${characters[n] ?? ''}${character}`)
}

/** The stems that no ending shows. */
const irregular: ReadonlyMap<string, string> = new Map(
  Object.entries({
    wrote: 'writ',
    written: 'writ',
    sent: 'send',
    ran: 'run',
    found: 'find',
    made: 'mak',
    got: 'get',
    told: 'tell',
    drew: 'draw',
    drawn: 'draw',
    bought: 'buy',
    met: 'meet',
    took: 'tak',
    people: 'person',
    // Not the plural of "new".
    news: 'news',
  }),
)

/** English endings, the longest first, with the least that must be left before them. */
const endings: readonly { readonly ending: RegExp; readonly replacement: string }[] = [
  { ending: /(?<=.{3})(?:ies|ied)$/, replacement: 'y' },
  { ending: /(?<=(?:ss|x|z|ch|sh))es$/, replacement: '' },
  { ending: /(?<=.{2}[^sui])s$/, replacement: '' },
  { ending: /(?<=.{3}[st])ions?$/, replacement: '' },
  { ending: /(?<=[aeiouy].*[^aeiou])ing$/, replacement: '' },
  { ending: /(?<=[aeiouy].*[^aeiou])ed$/, replacement: '' },
  { ending: /(?<=.{4})(?:er|or)$/, replacement: '' },
  { ending: /(?<=.{3})ly$/, replacement: '' },
]

/**
 * A word without its grammatical ending. What is left need not be a word (`translation`, `translate` and `translator` all give
 * `translat`); it only has to be the same for the forms of one word.
 */
export function stem(word: string): string {
  const known = irregular.get(word)
  if (known !== undefined || !/^[a-z]{4,30}$/.test(word)) return known ?? word
  const bare = endings.reduce((rest, { ending, replacement }) => rest.replace(ending, replacement), word)
  // Running, planned, and the silent e of write and writing.
  return bare.replace(/([bdgklmnprt])\1$/, '$1').replace(/(?<=.{3})e$/, '')
}
