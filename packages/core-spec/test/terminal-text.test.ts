import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { terminalLine, terminalText } from "../src/index.ts";

const ESC = "\u001B";

describe("what reaches a terminal", () => {
  test.each([
    ["lines and tabs stay", "a\tb\nc\n", "a\tb\nc\n"],
    ["colours stay", `${ESC}[31mred${ESC}[0m${ESC}[38:5:196m`, `${ESC}[31mred${ESC}[0m${ESC}[38:5:196m`],
    ["other sequences are shown", `${ESC}[2J${ESC}]0;t\u0007${ESC}c`, "\\u{1b}[2J\\u{1b}]0;t\\u{7}\\u{1b}c"],
    ["what only begins like a colour is shown", `${ESC}[31;${ESC}[1?m`, "\\u{1b}[31;\\u{1b}[1?m"],
    ["a cursor that goes back is shown", "a\rb\bc", "a\\u{d}b\\u{8}c"],
    [
      "directions and what nobody sees are shown",
      "\u202Ea\u200B\u{E0041}\u2028\uD800",
      "\\u{202e}a\\u{200b}\\u{e0041}\\u{2028}\\u{d800}",
    ],
  ])("%s", (_, text, shown) => expect(terminalText(text)).toBe(shown));

  test("has nothing that moves a cursor, whatever comes in", { timeout: 60_000 }, () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.constantFrom(ESC, "[", "m", "31", ";", "\u009B"),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const shown = terminalText(pieces.join("")).replaceAll(/\u001B\[[\d;:]*m/g, "");
        expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
    );
  });

  test("a colour ends with its line", () => {
    expect(terminalLine(`${ESC}[8mhidden`)).toBe(`${ESC}[8mhidden${ESC}[0m`);
    expect(terminalLine(`${ESC}[31mred${ESC}[0m!`)).toBe(`${ESC}[31mred${ESC}[0m!`);
    expect(terminalLine(`${ESC}[31mred${ESC}[m`)).toBe(`${ESC}[31mred${ESC}[m`);
    expect(terminalLine("of Windows\r")).toBe("of Windows");
  });
});
