import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { harmlessText, MOST_QUOTED_BYTES, quotedName } from "../src/index.ts";

const ESC = "\u001B";
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const anyText = fc.string({ unit: "binary", maxLength: 3000 });

describe("texts from outside", () => {
  test.each([
    ["a window title", `${ESC}]0;owned\u0007`, "\\u{1b}]0;owned\\u{7}"],
    ["an 8-bit control sequence", "\u009B2J", "\\u{9b}2J"],
    ["a change of direction", "exe.\u202Etxt", "exe.\\u{202e}txt"],
    ["letters that nobody sees", "pass\u200Bword\uFEFF", "pass\\u{200b}word\\u{feff}"],
    ["a tag character", "a\u{E0041}", "a\\u{e0041}"],
    ["half a character", "a\uD800", "a\\u{d800}"],
    ["a forged line", "no\r\nerror: all is well", "no error: all is well"],
    ["other line ends", "a\u2028b\u0085c", "a b c"],
    ["white space around a break", "a\n\n\t  b", "a b"],
    ["plain words", "node «née» 数据 🚀  with  blanks ", "node «née» 数据 🚀  with  blanks "],
  ])("%s", (_what, text, harmless) => expect(harmlessText(text)).toBe(harmless));

  test("a long text is cut, and its length told", () => {
    expect(harmlessText("é".repeat(3_000_000), 5)).toBe("éé… (3000000 characters in all)");
    expect(harmlessText("12345", 5)).toBe("12345");
  });

  test("no escape is cut in two", () => expect(harmlessText(`ab${ESC}`, 7)).toBe("ab… (3 characters in all)"));

  test("whatever comes in, nothing comes out that a terminal obeys, and never more than the limit", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const harmless = harmlessText(text);
        expect(harmless).not.toMatch(HARMFUL);
        const [, quoted = ""] = /^(.*?)(?:… \(\d+ characters in all\))?$/s.exec(harmless) ?? [];
        expect(Buffer.byteLength(quoted)).toBeLessThanOrEqual(MOST_QUOTED_BYTES);
      }),
    );
  });

  test("what is harmless already is not changed", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const harmless = harmlessText(text, Infinity);
        expect(harmlessText(harmless, Infinity)).toBe(harmless);
      }),
    );
  });
});

describe("names from outside", () => {
  test.each([
    ["a.jar", '"a.jar"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ["a\nb", '"a\\u{a}b"'],
    [`${ESC}[2J`, '"\\u{1b}[2J"'],
  ])("%j", (name, quoted) => expect(quotedName(name)).toBe(quoted));

  test("a long one is cut", () => expect(quotedName("n".repeat(300), 3)).toBe('"nnn"… (300 characters in all)'));

  test("two names that differ look different", () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(quotedName(one, Infinity) === quotedName(other, Infinity)).toBe(one === other);
      }),
    );
  });
});
