export { flagsReference } from "./flags/usage.ts";
export { parseFlags, type ParsedFlags } from "./flags/parse-flags.ts";
export type { OperatorSettings } from "./flags/operator-settings.ts";
export { runOperator, type RunOptions } from "./run-operator.ts";
