// @ts-check
// Writes docs/errors.md from the tables of codes in the packages.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { ERROR_CODES, EXIT_CODES, exitCodeRows } from "../../packages/core-spec/dist/index.js";
import { KUBE_ERROR_KINDS } from "../../packages/kube/dist/index.js";
import { REASONS } from "../../packages/localizer/dist/index.js";
import { RECORDER_PROBLEMS } from "../../packages/recorder/dist/server.js";
import { SUBMISSION_PROBLEMS } from "../../packages/submission-server/dist/index.js";
import { PROBLEMS, STAGING_FAULTS } from "../../packages/staging-client/dist/index.js";

export const ERRORS = new URL("../../docs/errors.md", import.meta.url);

const WHO = { user: "the user", operator: "whoever runs the cluster", kindling: "Kindling's makers: please report it" };

/**
 * @typedef {object} Table
 * @property {string} title
 * @property {string} prefix distinguishes its codes from those of other tables, because two tables may have a word in common
 * @property {string} thrownIn the folder below `packages` where its codes must be used
 * @property {string} about
 * @property {readonly string[]} head
 * @property {readonly { readonly code: string, readonly cells: readonly (string | number)[] }[]} rows
 */

/**
 * The tables of codes, one for each place that declares them.
 *
 * @type {readonly Table[]}
 */
export const TABLES = [
  {
    title: "Commands and the library",
    prefix: "",
    thrownIn: "",
    about:
      "`KindlingError.code`, of every command and every package. A `KindlingError` has `audience` and `retryable` as members. Declared in `packages/core-spec/src/errors.ts`.",
    head: ["Code", "Exit code", "Who can mend it", "Retry", "Meaning"],
    rows: Object.entries(ERROR_CODES).map(([code, { exit, audience, retryable, meaning }]) => ({
      code,
      cells: [EXIT_CODES[exit].code, WHO[audience], yesOrNo(retryable), meaning],
    })),
  },
  {
    title: "The API server",
    prefix: "kube:",
    thrownIn: "kube/",
    about:
      "`KubeError.kind`, of `@kindling/kube`. Commands show such an error as `CLUSTER_…`, `OBJECT_…` or `KUBECONFIG_INVALID`, and end with its exit code. Of a `status`, a retry helps where its number is 429 or 5xx. Declared in `packages/kube/src/errors/kube-error.ts`.",
    head: ["Kind", "Who can mend it", "Retry", "Meaning"],
    rows: Object.entries(KUBE_ERROR_KINDS).map(([code, { audience, retryable, meaning }]) => ({
      code,
      cells: [WHO[audience], yesOrNo(retryable), meaning],
    })),
  },
  {
    title: "The staging client",
    prefix: "staging:",
    thrownIn: "staging-client/",
    about:
      "`StagingError.fault`, of `@kindling/staging-client`; such an error is a `KindlingError` with the code beside it. Whether a retry helps is what the server says, where it says so. Declared in `packages/staging-client/src/errors.ts`.",
    head: ["Fault", "Code", "Exit code", "Who can mend it", "Retry", "Meaning"],
    rows: Object.entries(STAGING_FAULTS).map(([fault, { code, audience, retryable, meaning }]) => ({
      code: fault,
      cells: [`\`${code}\``, EXIT_CODES[ERROR_CODES[code].exit].code, WHO[audience], yesOrNo(retryable), meaning],
    })),
  },
  {
    title: "The staging server's problems",
    prefix: "problem:",
    thrownIn: "staging-server/",
    about:
      "The types of `application/problem+json` (RFC 9457) that a staging server answers with. The client turns them into the faults above. Declared in `packages/staging-client/src/protocol/problem.ts`.",
    head: ["Problem", "HTTP status", "Who can mend it", "Retry", "Meaning"],
    rows: Object.entries(PROBLEMS).map(([code, { status, audience, retryable, title }]) => ({
      code,
      cells: [status, WHO[audience], yesOrNo(retryable), title],
    })),
  },
  {
    title: "The submission server's problems",
    prefix: "submission:",
    thrownIn: "submission-server/",
    about:
      "The types of `application/problem+json` (RFC 9457) that the submission server answers with, as `urn:kindling:submission:…`. Where a code of the first table is behind one, it stands beside it as `code`. Declared in `packages/submission-server/src/errors/problem.ts`.",
    head: ["Problem", "HTTP status", "Who can mend it", "Retry", "Meaning"],
    rows: Object.entries(SUBMISSION_PROBLEMS).map(([code, { status, audience, retryable, title }]) => ({
      code,
      cells: [status, WHO[audience], yesOrNo(retryable), title],
    })),
  },
  {
    title: "The recorder's problems",
    prefix: "recorder:",
    thrownIn: "recorder/",
    about:
      "The types of `application/problem+json` (RFC 9457) that the recorder answers with, as `urn:kindling:recorder:…`. Declared in `packages/recorder/src/http/problem.ts`.",
    head: ["Problem", "HTTP status", "Who can mend it", "Retry", "Meaning"],
    rows: Object.entries(RECORDER_PROBLEMS).map(([code, { status, audience, retryable, title }]) => ({
      code,
      cells: [status, WHO[audience], yesOrNo(retryable), title],
    })),
  },
  {
    title: "The localizer",
    prefix: "localizer:",
    thrownIn: "localizer/",
    about:
      "The `reason` in the termination log of the init container, and its exit code, which is not one of the commands' above. Declared in `packages/localizer/src/report/localizer-error.ts`.",
    head: ["Reason", "Exit code", "Who can mend it", "Retry", "Meaning"],
    rows: Object.entries(REASONS).map(([code, { exitCode, audience, retryable, meaning }]) => ({
      code,
      cells: [exitCode, WHO[audience], yesOrNo(retryable), meaning],
    })),
  },
];

/** @param {boolean} retryable */
function yesOrNo(retryable) {
  return retryable ? "helps" : "";
}

/** The page as it should be. */
export function errorReference() {
  const tables = TABLES.map(
    ({ title, about, head, rows }) =>
      `## ${title}\n\n${about}\n\n${table(
        head,
        rows.map(({ code, cells }) => [`\`${code}\``, ...cells]),
      )}`,
  );
  return [
    `# Errors and exit codes

Every code that an error of Kindling can have, who can mend it, and whether the same call may succeed later with nothing changed. Generated
by \`node tools/references/error-reference.mjs\` from the tables that the packages declare. A code is never reused for another meaning.

## Exit codes of commands

The staging server ends with 0 when it is told to stop, and with 1 when it cannot go on.

${table(["Exit code", "Meaning"], exitCodeRows())}`,
    ...tables,
  ].join("\n");
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly (string | number)[])[]} rows
 */
function table(head, rows) {
  /** @param {string | number} text */
  const cell = (text) => String(text).replaceAll("|", "\\|");
  const lines = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |\n`);
  return lines.join("");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeFileSync(ERRORS, errorReference());
