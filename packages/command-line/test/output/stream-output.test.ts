import { createRedactor } from "@kindling/core-spec";
import { describe, expect, test } from "vitest";
import { streamOutput, type Output } from "../../src/index.ts";

/** An output to a terminal with this width, and what was written to it. */
function terminal(columns: number | undefined): { output: Output; sent: string[]; resize: (to: number) => void } {
  const sent: string[] = [];
  const stream = { isTTY: true, columns, write: (text: string) => void sent.push(text) };
  const output = streamOutput({ stdout: stream, stderr: stream }, { TERM: "xterm" }, createRedactor());
  return { output, sent, resize: (to) => (stream.columns = to) };
}

describe("a line that is written again and again", () => {
  test("is cut off before the last column, so that it never wraps", () => {
    const { output, sent } = terminal(40);
    output.rewrite("x".repeat(200));
    expect(sent).toEqual([`\r\u001B[K${"x".repeat(39)}`]);
  });

  test("follows a terminal that is resized", () => {
    const { output, sent, resize } = terminal(200);
    expect(output.columns).toBe(200);
    resize(60);
    expect(output.columns).toBe(60);
    output.rewrite("x".repeat(200));
    expect(sent.at(-1)).toHaveLength("\r\u001B[K".length + 59);
  });

  test.each([undefined, 0])("has 80 columns where the terminal tells %s", (columns) => {
    expect(terminal(columns).output.columns).toBe(80);
  });
});

describe("a page", () => {
  test("takes the place of the one before on a terminal", () => {
    const { output, sent } = terminal(80);
    output.page("first\n");
    expect(sent.join("")).toBe("\u001B[H\u001B[2Jfirst\n");
  });

  test("follows the one before in a file", () => {
    const sent: string[] = [];
    const stream = { isTTY: false, write: (text: string) => void sent.push(text) };
    const output = streamOutput({ stdout: stream, stderr: stream }, {}, createRedactor());
    output.page("first\n");
    output.page("second\n");
    expect(sent.join("")).toBe("first\nsecond\n");
  });
});
