import type { UserWorkspaceConfig } from "vitest/config";

// Tests that run only some of their rounds choose them with this seed: each run takes others, and can be repeated.
if (process.env["KINDLING_ROUNDS"] !== "all" && process.env["KINDLING_ROUNDS_SEED"] === undefined) {
  const seed = String(Date.now() % 1_000_000);
  process.env["KINDLING_ROUNDS_SEED"] = seed;
  process.stderr.write(`some rounds of all, drawn by KINDLING_ROUNDS_SEED=${seed}\n`);
}

/**
 * Imports between packages use the built files, as they do for users. With this condition they use the sources, so the tests of
 * a package see a change of another one at once. It applies to all packages of a run, because two copies of a module in one
 * process would not share classes and state.
 */
const SOURCES = { resolve: { conditions: ["kindling-source", "module", "node", "development|production"] } };

/**
 * The tests of a package, below its folder `test`.
 *
 * The files of a package share the processes that run them: starting a process and loading the package into it takes half a
 * second of a processor, longer than most files take. So a test must leave its process as it found it: environment, clock,
 * listeners.
 *
 * @param name the package's folder
 * @param more options that are special for the package
 */
export function testsOf(name: string, more: NonNullable<UserWorkspaceConfig["test"]> = {}): UserWorkspaceConfig {
  return {
    ...(process.env["KINDLING_TEST_SOURCES"] === "1" && { ssr: SOURCES }),
    test: { name, include: ["test/**/*.test.ts"], testTimeout: 60_000, isolate: false, ...more },
  };
}
