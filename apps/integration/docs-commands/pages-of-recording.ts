import type { PageRun } from "./page-run.ts";

const COMMANDS = "packages/submit-cli/test/commands/archive.test.ts";
const SERVICE = "packages/recorder/test/server";

/** Pages about what remains of applications. */
export const PAGES_OF_RECORDING: Readonly<Record<string, PageRun>> = {
  "docs/history.md": {
    bench: "cluster",
    rows: [
      { command: "helm upgrade kindling", runBy: "apps/chart/src/variants.ts", as: '"recorder.enabled": true' },
      { command: "kindling logs daily", runBy: COMMANDS, as: 'scene.run("logs", "daily")' },
      { command: "kindling status daily", runBy: COMMANDS, as: 'scene.run("status", "daily")' },
      { command: "kindling history", runBy: COMMANDS, as: 'scene.run("history"' },
      { command: "kindling diff daily", runBy: COMMANDS, as: 'scene.run("diff", "daily")' },
      { command: "kindling ui", runBy: "apps/integration/suites/chart.e2e.ts", as: 'webUi(["ui"' },
      {
        command: "kindling history-server",
        runBy: "packages/submit-cli/test/commands/ui-command.test.ts",
        as: 'shown("history-server"',
      },
      { command: "kindling dev up", runBy: "packages/dev/test/history.test.ts", as: 'machine.dev("up")' },
      { command: "eval", runBy: "packages/dev/test/env.test.ts", as: 'machine.dev("env"' },
      { command: "kindling cost", runBy: COMMANDS, as: 'scene.run("cost"' },
      {
        command: "kubectl -n spark-jobs create rolebinding readers",
        needs: ["kubectl"],
        with: { "spark-jobs": "$NAMESPACE" },
      },
    ],
  },
  "packages/recorder/README.md": {
    bench: "folder",
    rows: [
      { command: "kindling-recorder", runBy: `${SERVICE}/command.test.ts`, as: '"--store-path", archive' },
      { command: "curl -s", runBy: `${SERVICE}/recorder-server.test.ts`, as: '"state=failed"' },
    ],
  },
};
