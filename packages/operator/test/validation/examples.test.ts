import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import {
  readScheduledSparkApplication,
  readSparkApplication,
  readSparkConnect,
} from "@kindling/spark-application/read";
import { validate, validateScheduled } from "../../src/validation/validate.ts";
import { validateConnect } from "../../src/validation/validate-connect.ts";
import { connectTimers } from "../../src/connect-states/connect-timers.ts";
import { createTimeZones } from "../../src/schedule/cron/time-zones.ts";
import { readSchedule } from "../../src/schedule/read-schedule.ts";

const PAGES = ["docs/operator.md", "docs/from-kubeflow-operator.md", "packages/operator/README.md"];

interface Shown {
  readonly page: string;
  readonly kind: string;
  readonly object: object;
}

/** The complete objects on a page. */
function objectsOf(page: string): readonly Shown[] {
  const text = readFileSync(fileURLToPath(new URL(`../../../../${page}`, import.meta.url)), "utf8");
  const blocks = Array.from(text.matchAll(/^```yaml\n([^]*?)^```/gm), ([, yaml = ""]) => yaml);
  return blocks
    .flatMap((yaml) => parseAllDocuments(yaml).map((document) => document.toJS() as { kind?: string }))
    .flatMap((object) => (object.kind === undefined ? [] : [{ page, kind: object.kind, object }]));
}

const shown = PAGES.flatMap(objectsOf);

/** As it is stored. */
function stored(object: object): object {
  const { metadata, ...rest } = object as { metadata: object };
  const given = {
    namespace: "default",
    uid: "1",
    generation: 1,
    resourceVersion: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
  return { ...rest, metadata: { ...given, ...metadata } };
}

test.each(shown.filter(({ kind }) => kind === "SparkApplication"))(
  "$page shows an application that is taken",
  (one) => {
    const { application, faults } = readSparkApplication(stored(one.object));
    expect([...faults, ...validate(application, {})]).toEqual([]);
  },
);

test.each(shown.filter(({ kind }) => kind === "SparkConnect"))("$page shows a server that is made", (one) => {
  const { connect, faults } = readSparkConnect(stored(one.object));
  const { notices } = connectTimers(connect.metadata.annotations);
  expect([...faults, ...validateConnect(connect), ...notices]).toEqual([]);
});

test.each(shown.filter(({ kind }) => kind.startsWith("Scheduled")))(
  "$page shows a schedule that is followed",
  (one) => {
    const { schedule, faults } = readScheduledSparkApplication(stored(one.object));
    const rules = { precision: "nanos", zones: createTimeZones("UTC"), stockTiming: false } as const;
    const read = readSchedule(schedule, rules, 0);
    expect([...faults, ...validateScheduled(schedule, {}), ...read.faults]).toEqual([]);
  },
);
