// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

/**
 * The members of a job's step that are checked.
 *
 * @typedef {object} Step
 * @property {string} [run]
 * @property {string} [uses]
 * @property {{ readonly version?: string, readonly publish?: string }} [with]
 */

/** @typedef {{ "runs-on": string, steps: readonly Step[], strategy?: { matrix: { node: readonly string[] } } }} Job */

/**
 * The members of a workflow that are checked.
 *
 * @typedef {object} Workflow
 * @property {Readonly<Record<string, string>>} permissions
 * @property {Readonly<Record<string, Job>>} jobs
 */

const folder = new URL("../../.github/workflows/", import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const root = fileURLToPath(new URL("../../", import.meta.url));
const workflows = readdirSync(folder).map(workflowIn);

/**
 * @param {string} name of a file
 * @returns {[string, Workflow]}
 */
function workflowIn(name) {
  return [name, parse(readFileSync(new URL(name, folder), "utf8"))];
}

describe.each(workflows)("%s", (_name, workflow) => {
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);
  const commands = steps.flatMap((step) => [step.run, step.with?.version, step.with?.publish]).filter(isSet);

  test("runs scripts that there are", () => {
    const called = commands.flatMap((command) => [...command.matchAll(/\bnpm (?:run ([\w:-]+)|(test)\b)/g)]);
    expect(called.length).toBeGreaterThan(0);
    for (const [, run, itself] of called) expect(Object.keys(scripts)).toContain(run ?? itself);
  });

  test("names files that there are", () => {
    // The path of a pattern ends before its first star.
    const named = commands.flatMap((command) =>
      [...command.matchAll(/\b(?:deploy|tools|apps)\/[\w./-]+/g)].map(([path]) => path),
    );
    for (const path of named) expect(existsSync(`${root}${path}`), path).toBe(true);
  });

  test("uses actions of a fixed major version", () => {
    for (const uses of steps.map((step) => step.uses).filter(isSet)) {
      expect(uses).toMatch(/^[\w-]+\/[\w-]+@(v\d+|[0-9a-f]{40})$/);
    }
  });

  test("has no more rights than it asks for, and no script is made of what others write", () => {
    expect(workflow.permissions).toBeDefined();
    expect(Object.values(workflow.permissions)).not.toContain("write");
    for (const command of commands) expect(command).not.toContain("${{");
    for (const job of jobs) expect(["ubuntu-24.04", "macos-15", "${{ matrix.on }}"]).toContain(job["runs-on"]);
  });
});

/**
 * @param {string | undefined} text
 * @returns {text is string}
 */
function isSet(text) {
  return text !== undefined && text !== "";
}

test("tests run with each line of Node that the page of compatibility tells of", () => {
  const versions = new Map(workflows).get("ci.yml")?.jobs["test"]?.strategy?.matrix.node ?? [];
  const lines = versions.map((version) => version.split(".", 1)[0]);
  const tried = JSON.parse(readFileSync(new URL("../references/compatibility/nodes.json", import.meta.url), "utf8"));
  for (const { node } of tried) expect(lines).toContain(node.split(".", 1)[0]);
  const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(versions).toContain(engines.node.replace(">=", ""));
});
