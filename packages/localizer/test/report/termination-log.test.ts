import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LocalizerError } from "../../src/report/localizer-error.ts";
import { createRedactor } from "../../src/report/redactor.ts";
import { terminationLine, writeTerminationLog } from "../../src/report/termination-log.ts";
import { scratchFolder } from "../support/scratch-folder.ts";

test("a failure is one line of JSON, without secrets", () => {
  const redactor = createRedactor();
  redactor.hide("topsecret");
  const error = new LocalizerError("refused", "no\nwith topsecret", { file: "a to /b", hint: "give topsecret" });
  const line = terminationLine(error, redactor);
  expect(line.trimEnd()).not.toContain("\n");
  expect(JSON.parse(line)).toEqual({ reason: "refused", file: "a to /b", message: "no\nwith ***", hint: "give ***" });
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

test("it replaces what an earlier run wrote, and makes no file that is not there", () => {
  const folder = scratchFolder();
  const log = folder.write("log", "an earlier and longer line");
  writeTerminationLog(log, "{}\n");
  expect(readFileSync(log, "utf8")).toBe("{}\n");
  writeTerminationLog(folder.at("missing"), "{}\n");
  expect(Object.keys(folder.tree())).toEqual(["log"]);
});
