import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { mutantPlugin } from "./packages/scheduler/test/model/mutant-plugin.ts";
import { testsOf } from "./vitest.base.ts";

/** A folder for a machine-readable report of every run, for `.ci/run`. */
const reports = process.env["KINDLING_REPORTS"];

/** The longest test files, as the ends of paths: if one of them started last, it would run alone at the end. */
const LONG = [
  "tools/packages/packages.test.mjs",
  "webhdfs/hdfs.test.ts",
  "hostile-client/shares.test.ts",
  "hostile-client/crowd.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    // Tests wait for processes and sockets most of their time: two tests more than there are processors keep these busy. No
    // more than that, because some tests measure time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects:
      process.env["KINDLING_TESTS_TOGETHER"] === "1"
        ? [testsOfAll(), "deploy/air-gap", "deploy/images", "tools"]
        : ["packages/*", "apps/*", "contrib/*", "deploy/air-gap", "deploy/images", "tools"],
    // Only for `npm run coverage`. Commands and services that tests start as processes are not counted.
    coverage: {
      include: ["packages/*/src/**/*.ts", "contrib/*/src/**/*.ts"],
      reporter: ["text-summary", "html", "json-summary"],
    },
    ...(reports !== undefined && {
      reporters: ["default", "json"],
      outputFile: { json: `${reports}/tests.json` },
    }),
  },
});

/**
 * The tests of all packages as one project, for a run of all: each process loads the packages once, instead of once for each
 * package with tests. What a package's own configuration has is here too, with the longest of all patience.
 */
function testsOfAll(): UserWorkspaceConfig {
  const root = import.meta.dirname;
  const setups = readdirSync(join(root, "packages")).map((name) => `packages/${name}/test/global-setup.ts`);
  return {
    plugins: [mutantPlugin(join(root, "packages/scheduler/src"))],
    ...testsOf("all", {
      root,
      include: ["{packages,apps,contrib}/*/test/**/*.test.{ts,mjs}", "apps/integration/stack/*.test.ts"],
      globalSetup: setups.filter((path) => existsSync(join(root, path))),
      testTimeout: 240_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 50_000 } },
    }),
  };
}
