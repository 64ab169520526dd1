import { array, check, nat, property, string } from "fast-check";
import { expect, test } from "vitest";
import { lineSplitter, LineTooLong } from "../../src/client/split-lines.ts";

test("lines are the same however their bytes are cut", () => {
  const anyText = string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replaceAll("\n", ""));
  const isSame = property(array(anyText, { maxLength: 10 }), array(nat(15), { maxLength: 40 }), (texts, cuts) => {
    const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));
    const splitter = lineSplitter(1_000);
    const lines: string[] = [];
    let start = 0;
    for (const length of [...cuts, bytes.length]) {
      lines.push(...splitter.push(bytes.subarray(start, start + length)).map(String));
      start = Math.min(bytes.length, start + length);
    }
    return splitter.rest().length === 0 && lines.join("\n") === texts.filter((text) => text !== "").join("\n");
  });
  expect(check(isSame).counterexample).toBeNull();
});

test("the rest is what has no end yet", () => {
  const splitter = lineSplitter(100);
  expect(splitter.push(Buffer.from("a\nb"))).toEqual([Buffer.from("a")]);
  expect(splitter.push(Buffer.from("c"))).toEqual([]);
  expect(splitter.rest()).toEqual(Buffer.from("bc"));
});

test.each([
  ["in one piece", ["x".repeat(11)]],
  ["in many pieces", Array.from({ length: 11 }, () => "x")],
  ["with its end", [`${"x".repeat(11)}\n`]],
  ["after another", ["a\n", "xxxxxx", `${"x".repeat(5)}\n`]],
])("a line that is too long is refused: %s", (_how, chunks) => {
  const splitter = lineSplitter(10);
  expect(() => chunks.forEach((chunk) => splitter.push(Buffer.from(chunk)))).toThrow(LineTooLong);
});

test("a line just as long as allowed is not", () => {
  expect(lineSplitter(10).push(Buffer.from(`${"x".repeat(10)}\n`))).toHaveLength(1);
});
