import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The commands of the documentation take longest, in two files of a few lines, which vitest alone would begin with last. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => /\/docs[^/]*$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

// End-to-end tests run real Spark, so they are no part of `npm test`: `pnpm e2e`, with any KUBECONFIG.
export default defineConfig({
  test: {
    name: "e2e",
    root: import.meta.dirname,
    include: ["suites/**/*.e2e.ts"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // Each suite has its namespace. Two at a time keep a small cluster busy, not overrun.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: process.env["KINDLING_REPORTS"] === undefined ? ["verbose"] : ["verbose", "json"],
    ...(process.env["KINDLING_REPORTS"] !== undefined && {
      outputFile: { json: `${process.env["KINDLING_REPORTS"]}/${process.env["KINDLING_E2E_REPORT"] ?? "e2e"}.json` },
    }),
  },
});
