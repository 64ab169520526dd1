import type { UserWorkspaceConfig } from "vitest/config";

// Where tests take some of their rounds alone, they draw them by this: each run takes others, and can be run again.
if (process.env["KINDLING_ROUNDS"] !== "all" && process.env["KINDLING_ROUNDS_SEED"] === undefined) {
  const seed = String(Date.now() % 1_000_000);
  process.env["KINDLING_ROUNDS_SEED"] = seed;
  process.stderr.write(`some rounds of all, drawn by KINDLING_ROUNDS_SEED=${seed}\n`);
}

/**
 * Imports between packages lead to what was built of them, as whoever installs them has it. By this they lead to the sources: a
 * change of one package is seen by the tests of another at once. It holds for all packages of a run, because two copies of a
 * module in one process would not know each other's classes and state.
 */
const SOURCES = { resolve: { conditions: ["kindling-source", "module", "node", "development|production"] } };

/**
 * The tests of a package, below its folder `test`.
 *
 * The files of a package share the processes that run them: to start a process and to load the package into it takes half a
 * second of a processor, longer than most files take. So a test has to leave its process as it found it: environment, clock,
 * listeners.
 *
 * @param name the package's folder
 * @param more what is special about the package
 */
export function testsOf(name: string, more: NonNullable<UserWorkspaceConfig["test"]> = {}): UserWorkspaceConfig {
  return {
    ...(process.env["KINDLING_TEST_SOURCES"] === "1" && { ssr: SOURCES }),
    test: { name, include: ["test/**/*.test.ts"], testTimeout: 60_000, isolate: false, ...more },
  };
}
