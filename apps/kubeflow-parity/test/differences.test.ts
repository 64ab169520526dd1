import { expect, test } from "vitest";
import { differences } from "../src/differences.ts";

test("a difference is told by its path, with what both have there", () => {
  const stock = { spec: { containers: [{ name: "a", args: ["x"] }], nodeName: "n" } };
  const ours = { spec: { containers: [{ name: "a", args: ["y"] }] } };
  expect(differences(stock, ours)).toEqual([
    '.spec.containers[0].args[0]: stock has "x", ours "y"',
    '.spec.nodeName: stock has "n", ours undefined',
  ]);
});

test("lists of different lengths are one difference, and equal values are none", () => {
  expect(differences({ list: [1, 2] }, { list: [1] })).toEqual([".list: stock has [1,2], ours [1]"]);
  expect(differences({ a: { b: [1] } }, { a: { b: [1] } })).toEqual([]);
});
