import { sparkVersionOf } from "@kindling/core-spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkJavaOptions } from "../../../src/gather/configuration/java-options.ts";
import { splitOptionString } from "../../../src/gather/configuration/option-string.ts";
import { caughtFrom } from "@kindling/test-kit/caught";

describe("a text of JVM options", () => {
  test.each([
    ["", []],
    ["  -Da=b \t -Dc=d\n-e ", ["-Da=b", "-Dc=d", "-e"]],
    [`'-Da=b c' "-Dd=e f"`, ["-Da=b c", "-Dd=e f"]],
    [`-Da='b c'"d e"`, ["-Da=b cd e"]],
    [`-Da=b\\ c \\' \\"`, ["-Da=b c", "'", '"']],
    [`'a\\b' "a\\b"`, ["a\\b", "ab"]],
    [`'' ""`, ["", ""]],
    [`-Da="it's"`, ["-Da=it's"]],
    ["-Da='b", undefined],
    ['-Da="b', undefined],
    ["-Da=b\\", undefined],
  ])("%j is %j", (text, options) => expect(splitOptionString(text)).toEqual(options));

  test("gives back what was quoted", () => {
    const option = fc.string({ unit: "grapheme", maxLength: 12 });
    const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
    fc.assert(
      fc.property(fc.array(option), (options) => {
        expect(splitOptionString(options.map(quoted).join(" "))).toEqual(options);
      }),
    );
  });
});

describe.each(["spark.driver.extraJavaOptions", "spark.driver.defaultJavaOptions"])("%s", (key) => {
  const refusal = (text: string, version: string): string | undefined => {
    let message: string | undefined;
    try {
      checkJavaOptions({ [key]: text }, sparkVersionOf(version));
    } catch {
      message = caughtFrom(() => checkJavaOptions({ [key]: text }, sparkVersionOf(version))).message;
    }
    return message;
  };

  test.each([
    ["-Xmx2g", true, true],
    ["-Da=b '-Xmx2g'", true, true],
    ["-Dnote=noXmxhere", true, false],
    ["-Dnote='see -Xmx2g'", true, false],
    ["-Da=b", false, false],
    ["", false, false],
  ])("%j sets a heap for Spark 3.5: %s, from 4.0 on: %s", (text, before, from) => {
    const heap = `${key}: the driver's heap cannot be set by a JVM option (-Xmx)`;
    expect(refusal(text, "3.5.9")).toBe(before ? heap : undefined);
    expect(refusal(text, "4.0.0")).toBe(from ? heap : undefined);
  });

  test("with an open quote is taken apart from 4.0 on only, and its text is not told", () => {
    expect(refusal("-Dpassword='hunter2", "3.5.9")).toBeUndefined();
    expect(refusal("-Dpassword='hunter2", "4.0.0")).toBe(
      `${key}: the JVM options end within quotes, or in a backslash`,
    );
  });
});
