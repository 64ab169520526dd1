import { describe, expect, test } from "vitest";
import { confType } from "../../src/index.ts";

describe("types of configuration values", () => {
  test.each([
    ["true", true],
    [" FALSE ", false],
  ])("boolean %j", (text, value) => expect(confType.boolean.parse(text)).toBe(value));

  test.each([
    ["+5", 5],
    ["-3", -3],
    ["2147483647", 2_147_483_647],
    ["00000000000000000000000001", 1],
    [" 7\u001f", 7],
  ])("int %j", (text, value) => expect(confType.int.parse(text)).toBe(value));

  test.each([
    ["0.1", 0.1],
    ["1e-3", 0.001],
    [".5", 0.5],
    ["2d", 2],
    ["0x1p-3", 0.125],
    ["-0X1.8p1d", -3],
    ["0x.8P0", 0.5],
    ["+Infinity", Infinity],
    ["-NaN", Number.NaN],
  ])("double %j", (text, value) => expect(confType.double.parse(text)).toBe(value));

  // Arabic, Devanagari and full-width digits.
  test.each([
    ["\u0663", 3],
    ["-\u096a2", -42],
    ["\uff17\uff10\uff17\uff18", 7078],
  ])("int %j", (text, value) => expect(confType.int.parse(text)).toBe(value));

  test("lists drop what is empty and trim the rest", () => {
    expect(confType.list.parse(" a, ,b ,")).toEqual(["a", "b"]);
  });

  test.each([
    [confType.boolean, "yes"],
    [confType.int, "2147483648"],
    [confType.int, "\u00a07"],
    [confType.boolean, "true\u00a0"],
    [confType.bareInt, " 80"],
    [confType.bareInt, "2147483648"],
    [confType.bytes("m"), "99999999999999999999g"],
    [confType.time("ms"), "99999999999999999999s"],
    [confType.int, "1.0"],
    [confType.int, "\u{1d7d8}"],
    [confType.int, "\u00b2"],
    [confType.double, "\u0663"],
    [confType.int, ""],
    [confType.double, "many"],
    [confType.double, "infinity"],
    [confType.double, "0x10"],
    [confType.double, "0x.p1"],
    [confType.oneOf("Always", "Never"), "always"],
    [confType.checked(confType.int, (value) => value > 0, "positive"), "0"],
  ])("%o refuses %j", (type, text) => expect(confType.isMisfit(type.parse(text))).toBe(true));
});
