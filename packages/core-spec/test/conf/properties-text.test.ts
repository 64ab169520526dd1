import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatProperties, parseProperties, PropertiesSyntaxError } from "../../src/index.ts";

describe("parseProperties", () => {
  test.each([
    ["key=value", { key: "value" }],
    ["key: value", { key: "value" }],
    ["key value", { key: "value" }],
    ["  key\t=\t value with blanks ", { key: "value with blanks " }],
    ["key", { key: "" }],
    ["# comment\n! comment\n\nkey=1", { key: "1" }],
    ["a=1\r\nb=2\rc=3", { a: "1", b: "2", c: "3" }],
    ["long=one \\\n    two \\\r\n three", { long: "one two three" }],
    ["path=C\\:\\\\dir", { path: "C:\\dir" }],
    ["a\\ key\\=with\\:signs=v", { "a key=with:signs": "v" }],
    ["u=\\u00e9\\t\\n", { u: "é\t\n" }],
    ["odd=\\q", { odd: "q" }],
    ["k=1\nk=2", { k: "2" }],
    ["ends=in a backslash\\", { ends: "in a backslash" }],
    ["__proto__=x", JSON.parse('{"__proto__":"x"}')],
  ])("reads %j as Java does", (text, expected) => {
    expect(parseProperties(text)).toEqual(expected);
  });

  test("reads a line the same wherever it is broken, and however often", { timeout: 60_000 }, () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\\\\", "\\t", "=", " b"), minLength: 1 });
    const indent = fc.constantFrom("", " ", "\t\f ");
    fc.assert(
      fc.property(fc.array(fc.tuple(text, indent), { minLength: 1 }), (pieces) => {
        const whole = `k=${pieces.map(([piece]) => `x${piece}`).join("")}`;
        const broken = `k=${pieces.map(([piece, blanks]) => `\\\n${blanks}x${piece}`).join("")}`;
        expect(parseProperties(broken)).toEqual(parseProperties(whole));
      }),
    );
    expect(parseProperties(`k=${"x\\\n".repeat(300_000)}`)).toEqual({ k: "x".repeat(300_000) });
    expect(parseProperties(`k=${"\\".repeat(300_000)}a`)).toEqual({ k: `${"\\".repeat(150_000)}a` });
  });

  test("names the line of a broken unicode escape", () => {
    expect(() => parseProperties("a=1\n\nb=\\u12x4")).toThrow(PropertiesSyntaxError);
    expect(() => parseProperties("a=1\n\nb=\\u12x4")).toThrow(expect.objectContaining({ line: 3 }));
  });
});

describe("formatProperties", () => {
  test("escapes what Java escapes, and leaves the rest as it is", () => {
    expect(formatProperties({ "a b": " x y", "c:d": "#e=f!\\g", u: "é→\t" }, "made by hand")).toBe(
      "#made by hand\na\\ b=\\ x y\nc\\:d=\\#e\\=f\\!\\\\g\nu=é→\\t\n",
    );
  });

  test("writes the same text for the same entries, in whatever order they come", () => {
    expect(formatProperties({ b: "2", a: "1" }, "c")).toBe(formatProperties({ a: "1", b: "2" }, "c"));
  });

  test("reading what was written gives the entries back", () => {
    const entries = fc.dictionary(fc.string({ unit: "binary", minLength: 1 }), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(entries, (properties) => {
        expect(parseProperties(formatProperties(properties, "comment"))).toEqual({ ...properties });
      }),
    );
  });
});
