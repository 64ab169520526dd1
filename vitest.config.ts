import { defineConfig } from "vitest/config";

/** A folder that takes a machine-readable report of every run, for `.ci/run`. */
const reports = process.env["KINDLING_REPORTS"];

export default defineConfig({
  test: {
    projects: ["packages/*", "apps/*", "contrib/*", "tools"],
    ...(reports !== undefined && {
      reporters: ["default", "json"],
      outputFile: { json: `${reports}/tests.json` },
    }),
  },
});
