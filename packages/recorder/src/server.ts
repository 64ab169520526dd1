export { startRecorderServer, type RecorderServer, type RecorderServerOptions } from "./server/recorder-server.ts";
export type { ServedArchive } from "./server/serve-archive.ts";
export { loadConfig } from "./config/load-config.ts";
export { RECORDER_KEYS, type AuthenticationMode, type RecorderConfig } from "./config/recorder-keys.ts";
export type { RetentionRules } from "./config/retention-rules.ts";
export { configReference } from "./config/reference.ts";
export { RECORDER_PROBLEMS, type ProblemName } from "./http/problem.ts";
