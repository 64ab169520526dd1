import { describe, expect, test } from "vitest";
import { systemClock } from "@kindling/outside";
import { readPropertiesFile } from "../../../src/gather/configuration/properties-file.ts";
import { caughtFrom } from "@kindling/test-kit/caught";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

function read(text: string | Uint8Array): Record<string, string> {
  return readPropertiesFile(scratchFolder().write("app.conf", text), "--properties-file", systemClock);
}

describe("a properties file", () => {
  test("is Java's, as people write spark-defaults.conf", () => {
    const text = [
      "# a comment",
      "spark.a 1",
      "  spark.b=2  ",
      "spark.c : 3",
      "spark.d",
      "spark.e = one \\",
      "          two",
      "spark.f=C\\:\\\\dir",
      "spark.g=gr\\u00f6\u00dfe",
      "spark.a 4",
    ];
    expect(read(text.join("\n"))).toEqual({
      "spark.a": "4",
      "spark.b": "2",
      "spark.c": "3",
      "spark.d": "",
      "spark.e": "one two",
      "spark.f": "C:\\dir",
      "spark.g": "größe",
    });
  });

  test("may be written on Windows", () => {
    expect(read("spark.a=1\r\nspark.b=2\r\n")).toEqual({ "spark.a": "1", "spark.b": "2" });
  });

  test("keeps line ends in values, and loses blanks around them", () => {
    expect(read("spark.a=\\n x \\t\nspark.b=\\u0020y\\u0020\\r\n")).toEqual({ "spark.a": "\n x", "spark.b": "y \r" });
  });

  test("may be empty", () => {
    expect(read("")).toEqual({});
  });
});

describe("a file that cannot be read is an error that names it", () => {
  test("where it does not exist", () => {
    expect(
      caughtFrom(() => readPropertiesFile("/nonexistent/app.conf", "--properties-file", systemClock)),
    ).toMatchObject({
      code: "FILE_UNREADABLE",
      message: "--properties-file: properties file /nonexistent/app.conf cannot be read: it does not exist",
    });
  });

  test("where it is a folder", () => {
    const { path } = scratchFolder();
    expect(caughtFrom(() => readPropertiesFile(path, "spark-defaults.conf", systemClock))).toMatchObject({
      code: "FILE_UNREADABLE",
      message: `spark-defaults.conf: properties file ${path} cannot be read: it is a directory`,
    });
  });

  test("where an escape is broken, with the line", () => {
    const error = caughtFrom(() => read("# one\nspark.a=1\n\nspark.b=\\u12G4\n"));
    expect(error.code).toBe("FILE_UNPARSABLE");
    expect(error.message).toMatch(
      /^--properties-file: .*app\.conf, line 4: \\u is not followed by four hexadecimal digits$/,
    );
  });
});
