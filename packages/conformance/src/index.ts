export { conformanceCases } from "./cases/conformance-cases.ts";
export { type Connection, connectionFromFile, connectionOf } from "./client/connection.ts";
export type { ConformanceCase, ServerKind } from "./conformance-case.ts";
export type { CaseContext } from "./case-context.ts";
export { runCase } from "./run-case.ts";
