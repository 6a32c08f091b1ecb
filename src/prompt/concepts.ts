// What the words of a request and the words of a tool have to do with each other, as data. English, and what looks alike in any
// language: paths, addresses, sums. Extendable through the options of `selectTools`.

/** Words for the same thing, and the looks of it. A tool that has one of `words` is found by all that a message may say. */
export interface Concept {
  readonly name: string
  /** In tools and messages. Separated by spaces; any grammatical form of a word counts. */
  readonly words: string
  /** In messages only: what people say when they want it, and what in a definition would mean something else. */
  readonly also?: string
  /** What stands for it in a message without being a word. */
  readonly looks?: RegExp
}

// Every repetition that can begin anywhere in a message is bounded, so that no message takes more than linear time.
const pathOrFileName =
  /(?:^|[\s"'`(])(?:~|\.{1,2})?(?:\/[\w.@-]{1,99})+|\b[\w-]{1,99}(?:\/[\w.@-]{1,99})+|\b[\w-]{1,99}\.(?:[cm]?[jt]sx?|md|txt|py|rs|go|c|h|cpp|java|rb|php|sh|ya?ml|toml|json|html|css|csv|log|pdf|docx?|xlsx?|xml|sql|ini|env|lock)\b/i
const folderPath = /(?:^|[\s"'`(])[\w.~-]*(?:\/[\w.@-]+)*\/(?=[\s"'`)?.,!]|$)/
const webAddress = /\b(?:https?:\/\/|www\.)\S+/i

export const concepts: readonly Concept[] = [
  { name: 'file', words: 'file document fs', also: 'readme script config log txt pdf csv', looks: pathOrFileName },
  { name: 'folder', words: 'folder directory dir tree', also: 'path', looks: folderPath },
  { name: 'read', words: 'read open view cat', also: 'print contents' },
  { name: 'write', words: 'write save store overwrite append', also: 'put create make new' },
  {
    name: 'edit',
    words: 'edit modify replace replacement rewrite patch refactor',
    also: 'change fix correct update rename',
  },
  { name: 'delete', words: 'delete remove erase drop', also: 'clear discard cancel trash' },
  {
    name: 'grep',
    words: 'grep search find regex pattern',
    also: 'occurrence usage mention defined definition declared implemented handled codebase source where',
  },
  {
    name: 'web',
    words: 'web internet online google bing browser news engine',
    also: 'website site headline latest current recent newest newer version release article wikipedia opening hours',
    looks: /\b(?:https?:\/\/|www\.)\S+|\blook\b.{0,20}\bup\b|\bwho (?:is|are) the (?:current|new)\b/i,
  },
  { name: 'page', words: 'page url webpage website fetch download http', also: 'link site article', looks: webAddress },
  {
    name: 'weather',
    words: 'weather forecast temperature climate',
    also: 'rain snow sun sunny cloud umbrella degree celsius fahrenheit wind storm humid humidity cold warm hot freeze jacket coat outside',
  },
  {
    name: 'calendar',
    words: 'calendar meeting appointment event schedule agenda availability',
    also: 'reschedule busy free invite book slot lunch dinner',
    looks: /\b(?:[01]?\d(?::[0-5]\d)?\s?[ap]\.?m\b|(?:[01]?\d|2[0-3]):[0-5]\d\b)/i,
  },
  { name: 'reminder', words: 'reminder remind alarm timer notification alert', also: 'notify forget wake' },
  {
    name: 'mail',
    words: 'mail email inbox',
    also: 'letter reply forward newsletter attachment unread',
    looks: /\b[\w.+-]{1,64}@[\w-]{1,99}(?:\.[\w-]{1,99}){1,9}\b|\be-mails?\b/i,
  },
  {
    name: 'message',
    words: 'message chat slack sms channel',
    also: 'text post dm ping',
    looks: /(?:^|\s)[#@][a-z][\w-]+/i,
  },
  {
    name: 'database',
    words: 'database db sql postgres mysql sqlite',
    also: 'query table row record column insert customer user signup signed registered revenue sale order invoice product sold sell',
    looks: /\bselect\b.{1,300}\bfrom\b/is,
  },
  {
    name: 'git',
    words: 'git commit branch repository repo diff',
    also: 'merge rebase push pull stash checkout staged unstaged blame revert',
    looks: /\bwho (?:changed|touched|broke|introduced)\b/i,
  },
  { name: 'issue', words: 'issue ticket bug jira', also: 'pr', looks: /\bpull requests?\b|(?:^|\s)#\d+\b/i },
  {
    name: 'image',
    words: 'image picture photo draw drawing illustration',
    also: 'photograph logo paint painting sketch render poster icon wallpaper avatar portrait artwork',
  },
  {
    name: 'translate',
    words: 'translate translation language',
    also: 'french german spanish english italian portuguese dutch polish russian turkish arabic hindi japanese chinese korean',
    looks: /\bhow (?:do|would|to|can)\b.{0,12}\bsay\b/i,
  },
  {
    name: 'shell',
    words: 'shell command terminal bash execute exec program',
    also: 'run script test build compile install npm pip cargo process lint restart kill console git docker kubectl curl ssh server dev pytest jest start stop restart disk cpu',
  },
  { name: 'code', words: 'python javascript interpreter sandbox', also: 'code snippet program evaluate plot chart' },
  {
    name: 'calculate',
    words: 'calculate calculator calculation compute math arithmetic',
    also: 'sum multiply divide subtract percent percentage average equation',
    looks: /\d\s*(?:[-+*/^×÷]|\bplus\b|\bminus\b|\btimes\b|\bdivided by\b)\s*\d|\d\s*%|\bpercent\b/i,
  },
  { name: 'time', words: 'time clock timezone date', also: 'today', looks: /\bwhat (?:day|date|time)\b/i },
  { name: 'contact', words: 'contact phone person employee', also: 'number call colleague dial' },
  {
    name: 'map',
    words: 'map route direction distance navigation restaurant nearby place location',
    also: 'navigate nearest near cafe drive traffic address food eat hungry lunch dinner pizza sushi coffee',
    looks: /\bhow (?:far|do i get)\b/i,
  },
  { name: 'travel', words: 'travel flight hotel train trip', also: 'fly airport' },
  {
    name: 'music',
    words: 'music song playlist album artist audio',
    also: 'play track volume pause jazz listen hear band radio',
  },
  { name: 'home', words: 'light lamp thermostat heating lock device', also: 'door room dark bright dim' },
  {
    name: 'money',
    words: 'currency exchange',
    also: 'rate convert conversion dollar euro pound yen usd eur gbp',
    looks: /[$€£¥]\s?\d/,
  },
  { name: 'stock', words: 'stock share ticker market', also: 'price quote portfolio trade trading' },
  { name: 'note', words: 'note memory notebook', also: 'remember recall memo jot' },
  { name: 'task', words: 'task todo checklist', also: 'remind reminder deadline', looks: /\bto-?do\b/i },
  {
    name: 'order',
    words: 'order refund shipment invoice payment',
    also: 'cart shipping delivery package parcel purchase buy',
  },
  { name: 'video', words: 'video youtube transcript', also: 'clip movie film' },
]

/**
 * What people ask a model itself to do, and words that go with anything: one of them alone asks for no tool. Most of what is written
 * is a poem or an answer; beside a path or another word of a tool, `write` tips the scales.
 */
export const ordinaryWords: readonly string[] = words(
  'write read make create give tell show list find get explain summarize describe help use check think compare open add set update ' +
    'look say put start change fix text code today current where time new',
)

/** Words that say nothing about what a message or a tool is about. */
export const stopWords: readonly string[] = words(
  'a an the this that these those it its i me my mine we us our ours you your yours he him his she her they them their who whom whose ' +
    'what whats which when why how is are was were be been being am do does did done doing have has had having can could will would ' +
    'shall should may might must not no yes and or but if then else than so as of at by for from in into on onto off over under to up ' +
    'out with without about between through during before after again please thanks thank hello hi hey ok okay just really very much ' +
    'many some any all every each both few more most other another such only own same too also there here now let lets need needs want ' +
    'wants like im ive dont doesnt didnt isnt arent cant wont id ill youre theyre thats theres ' +
    'tool tools function functions given return returns returned returning value values parameter parameters argument arguments input ' +
    'output result results option options optional default required string integer boolean array object example eg ie etc using used ' +
    'uses user specific specified provided allow allows able via per one two name names type types ids old thing things something ' +
    'anything way ways kind sort bit lot know information info data content details items item good best better great nice',
)

function words(text: string): readonly string[] {
  return text.split(' ')
}
