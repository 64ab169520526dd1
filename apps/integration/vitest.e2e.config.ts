import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { drawn } from "./clusters/drawn.ts";

/**
 * Suites that take a minute or more on a small machine, the longest first: otherwise one of them would run alone at the end.
 * Vitest itself starts with the largest file, and some of these are small.
 */
const LONG = [
  "docs",
  "applications",
  "operator-airflow",
  "docs-of-packages",
  "airflow",
  "kyuubi",
  "livy",
  "staging",
  "contributed-steps",
  "mistakes",
  "gateway-kinds",
  "gateway",
  "operator",
  "quick-start",
  "gateway-restarts",
  "memory",
  "connect",
  "operator-connect",
  "gateway-steps",
];

/** Suites with one or two long tests, whose parts are tested in the packages too. */
const STORIES = [
  ...["chart", "contributed-steps", "gateway-kinds", "gateway-restarts", "gateway-steps", "quick-start"],
  "single-file",
];
/** When pages are drawn, a third of these is. */
const drawnStories = drawn("stories", STORIES, 3);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONG.indexOf(basename(moduleId, ".e2e.ts"));
      return place === -1 ? LONG.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

// End-to-end tests run real Spark, so `npm test` does not contain them: `pnpm e2e`, with any KUBECONFIG.
export default defineConfig({
  test: {
    name: "e2e",
    root: import.meta.dirname,
    include: ["suites/**/*.e2e.ts"],
    exclude: STORIES.filter((name) => !drawnStories.has(name)).map((name) => `suites/${name}.e2e.ts`),
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // Each suite has its namespace. Two at a time keep a small cluster busy without overloading it.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: process.env["KINDLING_REPORTS"] === undefined ? ["verbose"] : ["verbose", "json"],
    ...(process.env["KINDLING_REPORTS"] !== undefined && {
      outputFile: { json: `${process.env["KINDLING_REPORTS"]}/${process.env["KINDLING_E2E_REPORT"] ?? "e2e"}.json` },
    }),
  },
});
