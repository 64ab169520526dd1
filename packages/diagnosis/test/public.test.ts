import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Event, Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { diagnose, podEvent, podState, type Evidence } from "../src/index.ts";
import { container, ended, NOW, pod } from "./fixtures/pods.ts";

/** The description of a case in a folder of `public/`: public/README.md has the format. */
interface Expected {
  readonly source: string;
  readonly says?: readonly string[];
  readonly never?: readonly string[];
  readonly state?: string;
}

interface Given {
  readonly now?: string;
  /** A pod, or one word for the usual one: it failed with an exit code of 1, or it runs. */
  readonly driver?: Pod | "failed" | "running";
  readonly exitCode?: number;
  readonly executors?: readonly Pod[];
  readonly events?: readonly Event[];
}

const FOLDERS = join(import.meta.dirname, "public");

const read = (folder: string, file: string): string | undefined =>
  existsSync(join(FOLDERS, folder, file)) ? readFileSync(join(FOLDERS, folder, file), "utf8") : undefined;

function evidenceOf(folder: string): { readonly evidence: Evidence; readonly now: number } {
  const {
    now,
    driver: given = "failed",
    exitCode = 1,
    executors = [],
    events = [],
  } = (parse(read(folder, "evidence.yaml") ?? "") ?? {}) as Given;
  const driver = typeof given === "string" ? usualDriver(given, exitCode) : podState(given);
  return {
    now: now === undefined ? NOW : Date.parse(now),
    evidence: {
      driver,
      driverContainer: driver.sparkContainer,
      executors: executors.map(podState),
      events: events.map(podEvent),
      log: read(folder, "driver.log")?.replace(/\n$/, "").split("\n"),
    },
  };
}

function usualDriver(how: "failed" | "running", exitCode: number) {
  const state = how === "failed" ? ended(exitCode) : { running: { startedAt: "2026-01-01T00:06:00Z" } };
  const phase = how === "failed" ? "Failed" : "Running";
  return pod({ node: "node-a", status: { phase, containerStatuses: [container(state)] } });
}

const cases = readdirSync(FOLDERS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => [name, parse(read(name, "expect.yaml") ?? "") as Expected] as const)
  .map(([name, expected]) => [name, expected.source, expected] as const);

test.each(cases)("%s (%s)", (folder, _, { says = [], never = [], state = "" }) => {
  const { evidence, now } = evidenceOf(folder);
  const { findings, state: stateNow } = diagnose(evidence, now);
  const told = findings.map(({ summary, advice = "" }) => `${summary}\n${advice}`).join("\n");
  expect([...says, ...never].length).toBeGreaterThan(0);
  for (const pattern of says) expect(told).toMatch(new RegExp(pattern, "i"));
  for (const pattern of never) expect(`${stateNow}\n${told}`).not.toMatch(new RegExp(pattern, "i"));
  expect(stateNow).toMatch(new RegExp(state));
});
