import type { UserWorkspaceConfig } from "vitest/config";

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
  return { test: { name, include: ["test/**/*.test.ts"], testTimeout: 60_000, isolate: false, ...more } };
}
