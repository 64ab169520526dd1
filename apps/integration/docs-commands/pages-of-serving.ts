import type { PageRun } from "./page-run.ts";

/** A port that no other suite uses. */
const PORT = "18080";
const SERVE = { "spark-jobs": `$NAMESPACE --listen-port ${PORT} --admin-port 0` };
const ASK = {
  curl: "curl --silent --fail-with-body --retry 20 --retry-connrefused",
  "127.0.0.1:8080": `127.0.0.1:${PORT}`,
};

/** Pages of the submission server. The created applications need not run: other suites check that. */
export const PAGES_OF_SERVING: Readonly<Record<string, PageRun>> = {
  "docs/submission-server.md": {
    bench: "cluster",
    rows: [
      {
        command: "kindling serve",
        with: { "spark-jobs": `${SERVE["spark-jobs"]} &` },
      },
      {
        command: "curl http://127.0.0.1:8080/api/v1/submissions",
        with: { ...ASK, '"spark-jobs"': `"'$NAMESPACE'"` },
        prints: /"submissionId": ?"pi-1"/,
      },
    ],
  },
  "docs/single-sign-on.md": {
    bench: "cluster",
    rows: [{ command: "kindling rbac submitter", needs: ["kubectl"], with: { "spark-jobs": "$NAMESPACE" } }],
  },
  "packages/submission-server/README.md": {
    bench: "cluster",
    rows: [
      {
        command: "npm install",
        runBy: "tools/packages/packages.test.mjs",
        as: "installed alone into an empty project",
      },
      { command: "kindling serve", with: SERVE },
      {
        command: "curl -s http://127.0.0.1:8080/api/v1/submissions -H",
        with: ASK,
        prints: /"submissionId": ?"pi-1"/,
      },
      {
        command: "curl -s http://127.0.0.1:8080/api/v1/submissions/spark-jobs:pi-1",
        with: { ...ASK, "spark-jobs": "$NAMESPACE" },
        prints: /"state"/,
      },
    ],
  },
};
