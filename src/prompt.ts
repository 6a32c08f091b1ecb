// Tools for models without native tool calls: the prompt that offers them, the history in the model's dialect, and when to
// use it.

export { toolPrompt } from './prompt/prompt.ts'
export type { ToolPromptOptions } from './prompt/prompt.ts'
export type { DefinitionStyle } from './prompt/definitions.ts'
export { textMessages, toolResponse } from './prompt/history.ts'
export type { DialectOptions, TextMessage, TextMessagesOptions, ToolResponseOptions } from './prompt/history.ts'
export { chooseStrategy } from './prompt/strategy.ts'
export type { StrategyInput, ToolStrategy } from './prompt/strategy.ts'
export { modelRules } from './prompt/strategy-rules.ts'
export type { ModelRule } from './prompt/strategy-rules.ts'
export { createToolSelector, selectTools } from './prompt/select.ts'
export type { SelectedTool, SelectOptions, SelectorOptions, ToolSelection, ToolSelector } from './prompt/select.ts'
export type { Concept } from './prompt/concepts.ts'
