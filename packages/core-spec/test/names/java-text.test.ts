import { expect, test } from "vitest";
import { javaSplit, javaTrim } from "../../src/index.ts";

test.each([
  ["/a,", ["/a"]],
  ["/a,,/b,,", ["/a", "", "/b"]],
  [",/a", ["", "/a"]],
  [",,", []],
  ["", [""]],
])("%j is split as Java does, without what is empty at the end", (text, pieces) => {
  expect(javaSplit(text, ",")).toEqual(pieces);
});

test("a no-break space is no blank, and a control character is one", () => {
  expect(javaTrim("\u00a0x\u001f")).toBe("\u00a0x");
});
