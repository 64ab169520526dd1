export { loadConfig } from "./config/load-config.ts";
export { configReference } from "./config/reference.ts";
export { type AuthenticationMode, SERVE_KEYS, type ServeConfig } from "./config/serve-keys.ts";
export { type ProblemName, SUBMISSION_PROBLEMS } from "./errors/problem.ts";
export {
  startSubmissionServer,
  type SubmissionServer,
  type SubmissionServerOptions,
} from "./server/submission-server.ts";
