export { type Environment } from "./config/environment.ts";
export { parseForkProperties } from "./config/fork-properties.ts";
export * from "./config/index.ts";
export { loadConfig } from "./load-config.ts";
export { localize } from "./localize.ts";
export type { FileOutcome, LocalizeOptions, Reporter } from "./localize-options.ts";
export { isLocalizerError, LocalizerError, REASONS, type Reason, type ReasonEntry } from "./report/localizer-error.ts";
export { createRedactor, type Redactor } from "@kindling/core-spec";
