import { defineConfig } from "vitest/config";

/** A folder that takes a machine-readable report of every run, for `.ci/run`. */
const reports = process.env["KINDLING_REPORTS"];

export default defineConfig({
  test: {
    // Most tests wait for processes and sockets; vitest alone would leave one of two processors idle.
    maxWorkers: "100%",
    projects: ["packages/*", "apps/*", "contrib/*", "deploy/images", "tools"],
    ...(reports !== undefined && {
      reporters: ["default", "json"],
      outputFile: { json: `${reports}/tests.json` },
    }),
  },
});
