import { expect, test } from "vitest";
import { ManualClock } from "@kindling/outside";
import type { ResolvedFile } from "../../src/config/localizer-config.ts";
import { lineReporter, type LineReporter } from "../../src/report/line-reporter.ts";
import { createRedactor } from "@kindling/core-spec";

/** A reporter, its lines, and a function to let time pass. */
function setting(): {
  readonly reporter: LineReporter;
  readonly lines: string[];
  readonly pass: (milliseconds: number) => void;
} {
  const lines: string[] = [];
  const clock = new ManualClock();
  const reporter = lineReporter({ write: (line) => void lines.push(line), clock, redactor: createRedactor() });
  return { reporter, lines, pass: (milliseconds) => clock.advanceAtOnce(milliseconds) };
}

function file(to: string): ResolvedFile {
  const from = { kind: "remote", uri: "https://repo.example/x" } as const;
  return { from, to, digest: undefined, size: undefined, mode: undefined, unpack: false };
}

test("a server that fails a million times makes few lines, which tell how often", () => {
  const { reporter, lines, pass } = setting();
  const a = file("/v/a");
  for (let index = 0; index < 1_000_000; index++) {
    reporter.retrying(a, "it broke", 0);
    pass(1);
  }
  // In a thousand seconds: the first few lines, then one a minute.
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThan(30);
  expect(lines[0]).toBe("wait /v/a: it broke; again in 0.00 s\n");
  expect(lines.at(-1)).toMatch(/^wait \/v\/a: it broke; again in 0\.00 s \(and \d{5} problems before that\)\n$/);
});

test("nor do many files that all fail", () => {
  const { reporter, lines, pass } = setting();
  for (let index = 0; index < 100_000; index++) {
    reporter.retrying(file(`/v/${index}`), "it broke", 0);
    pass(1);
  }
  expect(lines.length).toBeLessThan(150);
});

test("a file that failed seldom has a line for each time", () => {
  const { reporter, lines, pass } = setting();
  const a = file("/v/a");
  for (let index = 0; index < 20; index++) {
    reporter.retrying(a, "it broke", 1000);
    pass(90_000);
  }
  expect(lines).toHaveLength(20);
});

test("whatever a path or a problem holds, each report is one harmless line", () => {
  const { reporter, lines } = setting();
  reporter.retrying(file("/v/\u202ea\u001b[2J"), "x\r\ndone /v/b\u0085\u2028", 0);
  expect(lines).toEqual(["wait /v/\\u{202e}a\\u{1b}[2J: x done /v/b ; again in 0.00 s\n"]);
});
