import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LocalizerError } from "../../src/report/localizer-error.ts";
import { createRedactor } from "@kindling/core-spec";
import { openTerminationLog, terminationLine } from "../../src/report/termination-log.ts";
import { scratchFolder } from "../support/scratch-folder.ts";

test("a failure is one line of JSON, without secrets", () => {
  const redactor = createRedactor();
  redactor.hide("topsecret");
  const error = new LocalizerError("refused", "no\nwith topsecret", { file: "a to /b", hint: "give topsecret" });
  const line = terminationLine(error, redactor);
  expect(line.trimEnd()).not.toContain("\n");
  expect(JSON.parse(line)).toEqual({ reason: "refused", file: "a to /b", message: "no with ***", hint: "give ***" });
});

test("it is never longer than what the kubelet reads", () => {
  const long = fc.string({ unit: fc.constantFrom("a", "\0", "ü", "😀", '"', "\n"), maxLength: 6000 });
  fc.assert(
    fc.property(long, long, long, (message, hint, file) => {
      const line = terminationLine(new LocalizerError("disk", message, { hint, file }), createRedactor());
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(4096);
      expect(JSON.parse(line)).toMatchObject({ reason: "disk" });
    }),
  );
});

test("what it quotes is harmless, and a secret is hidden before anything is cut", () => {
  const redactor = createRedactor();
  redactor.hide("topsecret");
  const message = `\u001b[31m\u202e${"x".repeat(2990)}topsecret\u0085`;
  const line = terminationLine(new LocalizerError("refused", message), redactor);
  expect(line).toContain("\\\\u{1b}[31m\\\\u{202e}xxx");
  expect(line).not.toMatch(/tops|\u0085/);
});

test("until more is known it says that the process was killed, and nothing in the end if there is nothing to say", () => {
  const log = scratchFolder().write("log", `an earlier line ${"that is longer ".repeat(100)}`);
  const opened = openTerminationLog(log, createRedactor());
  expect(JSON.parse(readFileSync(log, "utf8"))).toMatchObject({ reason: "killed" });
  opened.fail(new LocalizerError("disk", "full"));
  expect(readFileSync(log, "utf8")).toBe('{"reason":"disk","message":"full"}\n');
  opened.clear();
  expect(readFileSync(log, "utf8")).toBe("");
});

test("a log that is not there is not made, and one that is no file is left alone", () => {
  const folder = scratchFolder();
  openTerminationLog(folder.at("missing"), createRedactor()).clear();
  expect(folder.tree()).toEqual({});
  execFileSync("mkfifo", [folder.at("pipe")]);
  openTerminationLog(folder.at("pipe"), createRedactor()).fail(new LocalizerError("disk", "full"));
  expect(lstatSync(folder.at("pipe")).isFIFO()).toBe(true);
});
