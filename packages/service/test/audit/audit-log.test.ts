import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ManualClock, systemRandom } from "@kindling/outside";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { type AuditLog, jsonLog, openAuditLog } from "../../src/index.ts";

interface Opened {
  readonly log: AuditLog;
  readonly path: string;
  readonly clock: ManualClock;
  readonly lines: readonly string[];
  readonly events: () => readonly Readonly<Record<string, unknown>>[];
}

function open(): Opened {
  const path = join(scratchFolder().path, "audit.log");
  const clock = new ManualClock();
  const lines: string[] = [];
  const stdout = { write: (line: string) => void lines.push(line) };
  const log = openAuditLog(path, {
    ...{ clock, random: systemRandom(), stdout, component: "operator" },
    log: jsonLog(stdout, clock, "info"),
  });
  const events = () =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log, path, clock, lines, events };
}

test("an event is one line of a few kilobytes, whatever others have put into its texts", () => {
  const { log, path } = open();
  const evil = `a\nb\u001b[2J\u202e${"x".repeat(100_000)}`;
  log.write({
    verb: "submit",
    decision: "forbid",
    reason: evil,
    user: { username: evil, groups: Array.from({ length: 5_000 }, () => "group") },
    sourceIPs: ["10.0.0.1"],
    userAgent: evil,
    object: { namespace: "jobs", name: evil, profile: "small", session: "s" },
  });
  const text = readFileSync(path, "utf8");
  expect(text.split("\n")).toHaveLength(2);
  expect(text.length).toBeLessThan(8_000);
  expect(text).not.toMatch(/[\u0000-\u0009\u001b\u202e]/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a flood of strangers is written in part, and the next event says how many are missing", async () => {
  const { log, clock, events } = open();
  const stranger = {
    verb: "list",
    decision: "forbid",
    reason: "no credentials were sent",
    sourceIPs: ["10.0.0.1"],
  } as const;
  for (let n = 0; n < 1_000; n += 1) log.write(stranger);
  expect(events()).toHaveLength(200);
  log.write({ ...stranger, user: { username: "ada", groups: [] } });
  expect(events().at(-1)).toMatchObject({ user: { username: "ada" }, omitted: 800 });
  await clock.advance(1_000);
  log.write(stranger);
  expect(events().at(-1)).not.toHaveProperty("omitted");
});

test("what the service has left out itself counts, too", () => {
  const { log, path, events } = open();
  rmSync(path);
  mkdirSync(path);
  log.write({ verb: "connect", decision: "forbid" });
  rmSync(path, { recursive: true });
  log.write({ verb: "connect", decision: "forbid", omitted: 7 });
  log.write({ verb: "connect", decision: "forbid" });
  expect(events().map(({ omitted }) => omitted)).toEqual([8, undefined]);
});

test("what cannot be written stops nothing: the service's log tells it once, and the next event counts it", () => {
  const { log, path, lines, events } = open();
  rmSync(path);
  mkdirSync(path);
  for (let n = 0; n < 3; n += 1) log.write({ verb: "delete", decision: "allow" });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/the audit log cannot be written.*EISDIR/);
  rmSync(path, { recursive: true });
  log.write({ verb: "delete", decision: "allow" });
  expect(events()).toMatchObject([{ verb: "delete", omitted: 3 }]);
});
