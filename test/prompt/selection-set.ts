// A set for the selection of tools: the tools of an everyday assistant on a developer's machine, and what people say to it, each with
// the tools that an answer needs. Roughly every third message avoids the words of the definitions; every fifth needs no tool.
import type { ToolDefinition } from '../../src/model/tools.ts'

function tool(
  name: string,
  description: string,
  properties: { [key: string]: string },
  required: readonly string[],
): ToolDefinition {
  const described = Object.entries(properties).map(([key, about]) => [key, { type: 'string', description: about }])
  return { name, description, parameters: { type: 'object', properties: Object.fromEntries(described), required } }
}

export const tools: readonly ToolDefinition[] = [
  tool(
    'read_file',
    'Read the contents of a text file from the workspace.',
    { path: 'Path of the file, relative to the workspace', first_line: 'Where to begin', line_count: 'How many lines' },
    ['path'],
  ),
  tool(
    'write_file',
    'Create a file with the given content, or overwrite the one that is there.',
    { path: 'Path of the file, relative to the workspace', content: 'The whole new content' },
    ['path', 'content'],
  ),
  tool(
    'list_directory',
    'List the files and folders in a directory.',
    { path: 'Path of the directory', recursive: 'Whether to go into subdirectories' },
    ['path'],
  ),
  tool(
    'search_code',
    'Search the source code of the workspace for a text or a regular expression and get the matching lines.',
    { pattern: 'What to look for', glob: 'Which files to look in', case_sensitive: 'Whether case matters' },
    ['pattern'],
  ),
  tool(
    'run_command',
    'Run a shell command in the workspace and get its output and exit code.',
    { command: 'The command line', working_directory: 'Where to run it', timeout_seconds: 'When to give up' },
    ['command'],
  ),
  tool(
    'git',
    'Work with the git repository: status, diff, log, commit, branches.',
    { subcommand: 'Such as status or commit', args: 'Further arguments' },
    ['subcommand'],
  ),
  tool(
    'web_search',
    'Search the web for current information.',
    { query: 'The search terms', max_results: 'At most this many results' },
    ['query'],
  ),
  tool(
    'get_weather',
    'Current weather and the forecast for a place.',
    { location: 'City, optionally with country', days: 'How many days ahead' },
    ['location'],
  ),
  tool(
    'calendar',
    'Look up, create, move and cancel events in the calendar.',
    {
      action: 'What to do',
      title: 'Title of the event',
      start: 'When it starts',
      end: 'When it ends',
      attendees: 'Who is invited',
    },
    ['action'],
  ),
  tool(
    'send_email',
    'Send an email from the account of the user.',
    { to: 'Addresses of the recipients', subject: 'Subject line', body: 'The text', cc: 'Further recipients' },
    ['to', 'subject', 'body'],
  ),
  tool(
    'query_database',
    'Run a read-only SQL query against the company database (customers, orders, invoices).',
    { sql: 'The statement', limit: 'At most this many rows' },
    ['sql'],
  ),
  tool(
    'generate_image',
    'Generate an image from a description.',
    { prompt: 'What the image shows', size: 'Width and height', style: 'The style' },
    ['prompt'],
  ),
  tool(
    'translate_text',
    'Translate a text into another language.',
    { text: 'The text', target_language: 'Into which language', source_language: 'From which, if known' },
    ['text', 'target_language'],
  ),
]

/** What somebody says, and the tools that are needed for it. */
export const messages: readonly (readonly [message: string, ...needed: string[]])[] = [
  ['Open src/main.rs and tell me what it does', 'read_file'],
  ["What's in the README?", 'read_file'],
  ['Show me the first 20 lines of config.yaml', 'read_file'],
  ['Put a .gitignore with node_modules in it into the project root: save it as ./.gitignore', 'write_file'],
  ['Save this list as shopping.txt', 'write_file'],
  ['Write a unit test for the parser into test/parser.test.ts', 'write_file'],
  ['Which files are in the docs folder?', 'list_directory'],
  ['What do we have under src/components/ ?', 'list_directory'],
  ['Where is parseHeader defined?', 'search_code'],
  ['Find every occurrence of TODO in the code', 'search_code'],
  ['Who still calls the deprecated fetchUser function? Grep for it.', 'search_code'],
  ['Run the tests', 'run_command'],
  ['Does the project still compile?', 'run_command'],
  ['Please install lodash with npm', 'run_command'],
  ['Kill whatever is running on port 3000', 'run_command'],
  ['Commit my changes with a sensible message', 'git'],
  ['What changed since the last commit?', 'git'],
  ['Make a new branch called feature/login', 'git'],
  ['Who won the match last night? Look it up online.', 'web_search'],
  ['Any news about the Mars mission?', 'web_search'],
  ['Google the current version of PostgreSQL for me', 'web_search'],
  ["What's the weather in Lisbon?", 'get_weather'],
  ['Do I need an umbrella tomorrow in Oslo?', 'get_weather'],
  ['How cold will it get in Berlin this weekend?', 'get_weather'],
  ['Schedule a meeting with Anna on Friday at 3pm', 'calendar'],
  ['Am I free on Tuesday afternoon, or do I have appointments?', 'calendar'],
  ['Move my dentist appointment to next week', 'calendar'],
  ['Tell bob@example.com that the report is ready', 'send_email'],
  ['Drop my landlord a mail about the broken heating', 'send_email'],
  ['How many customers ordered something in March?', 'query_database'],
  ['Which invoices are unpaid?', 'query_database'],
  ['Draw me a fox in a snowy forest', 'generate_image'],
  ['I need a logo for my bakery', 'generate_image'],
  ['How do you say "good morning" in Japanese?', 'translate_text'],
  ['Translate the text in letter.txt into French and save the result', 'translate_text', 'read_file', 'write_file'],
  ['If it rains on Saturday, email Tom that the barbecue is off', 'get_weather', 'send_email'],
  ['Why is the sky blue?'],
  ['Write a short poem about the sea'],
  ['Thanks, that was very helpful!'],
  ['Explain the difference between TCP and UDP'],
]
