import { describe, expect, test } from "vitest";
import { KindlingError } from "@kindling/core-spec";
import { errorLines } from "../../src/index.ts";

describe("the lines of an error", () => {
  test("are what was wrong, what to do and, if asked for, what it was caused by", () => {
    const cause = new Error("the socket broke", { cause: new Error("ECONNRESET") });
    const error = new KindlingError("CLUSTER_UNREACHABLE", "no answer", { hint: "try again", cause });
    expect(errorLines(error, false)).toEqual([
      { label: "error", text: "no answer" },
      { label: "hint", text: "try again" },
    ]);
    expect(errorLines(error, true).slice(2)).toEqual([
      { label: "caused by", text: "the socket broke" },
      { label: "caused by", text: "ECONNRESET" },
    ]);
  });

  test("are one line each, and short, whatever is quoted", () => {
    const long = `a\nerror: forged\u001B[2J${"x".repeat(3_000_000)}`;
    const error = new KindlingError("CLUSTER_REFUSED", long, { hint: long, cause: new Error(long) });
    for (const { text } of errorLines(error, true)) {
      expect(text).not.toMatch(/[\n\u001B]/);
      expect(text.length).toBeLessThan(5000);
    }
  });

  test("end where causes go round in a circle", () => {
    const error = new Error("a");
    error.cause = new Error("b", { cause: error });
    expect(errorLines(new KindlingError("INTERNAL", "c", { cause: error }), true).length).toBeLessThan(15);
  });

  test("tell where in the program a fault of its own is, and nothing else in more than one line", () => {
    const [, , trace] = errorLines(new TypeError("x\n    at forged (file.js:1:1)"), true);
    expect(trace?.label).toBeUndefined();
    expect(trace?.text.split("\n")[0]).toBe("TypeError: x at forged (file.js:1:1)");
    expect(trace?.text).toContain("error-lines.test.ts");
  });
});
