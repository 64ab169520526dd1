import type { PageRun } from "./page-run.ts";
import { PAGES_OF_DOCS } from "./pages-of-docs.ts";
import { PAGES_OF_INSTALLING } from "./pages-of-installing.ts";
import { PAGES_OF_INTERACTIVE } from "./pages-of-interactive.ts";
import { PAGES_OF_OPERATOR } from "./pages-of-operator.ts";
import { PAGES_OF_PACKAGES } from "./pages-of-packages.ts";
import { PAGES_OF_RECORDING } from "./pages-of-recording.ts";
import { PAGES_OF_SERVING } from "./pages-of-serving.ts";
import { PAGES_OF_STEPS } from "./pages-of-steps.ts";

/** How the commands of each page are run. */
export const PAGE_RUNS: Readonly<Record<string, PageRun>> = {
  ...PAGES_OF_DOCS,
  ...PAGES_OF_INSTALLING,
  ...PAGES_OF_INTERACTIVE,
  ...PAGES_OF_OPERATOR,
  ...PAGES_OF_PACKAGES,
  ...PAGES_OF_RECORDING,
  ...PAGES_OF_SERVING,
  ...PAGES_OF_STEPS,
};
