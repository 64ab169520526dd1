import { expect, test } from "vitest";
import { typographicMarks } from "../../../src/gather/configuration/typographic.ts";

const marks = (
  entries: Record<string, string>,
  rest: { primaryResource?: string; mainClass?: string } = {},
): readonly string[] =>
  typographicMarks({
    entries,
    primaryResource: rest.primaryResource,
    mainClass: rest.mainClass,
  });

test.each([
  ["\u201Cs3a://bucket/jars\u201D", "\u201C"],
  ["\u201D/opt/jars\u201D", "\u201D"],
  ["\u201Ejars\u201C", "\u201E"],
  ["\u2018jars\u2019", "\u2018"],
  ["jars\u2019 ", "\u2019"],
  ["\u00ABjars\u00BB", "\u00AB"],
])("of %s the quotation mark is named", (value, mark) => {
  expect(marks({ "spark.kubernetes.file.upload.path": value })).toEqual([
    `spark.kubernetes.file.upload.path: the quotation mark ${mark} is part of the value; a shell takes only straight ones, " and '`,
  ]);
});

test("also where it stands around the class or the application, once", () => {
  const around = { primaryResource: "file:/w/\u2018app.py\u2019" };
  expect(marks({ "spark.app.name": "\u2018app.py\u2019" }, around)).toEqual([
    expect.stringMatching(/^the application's path: /) as string,
  ]);
  expect(marks({ "spark.app.name": "\u201Ca.B" }, { mainClass: "\u201Ca.B" })).toEqual([
    expect.stringMatching(/^--class: /) as string,
  ]);
});

test("options of a JVM with a long dash are told of", () => {
  const told = marks({ "spark.driver.extraJavaOptions": "-Da=b \u2013Dc=d" });
  expect(told).toEqual([expect.stringContaining("a JVM takes only the short one, -") as string]);
});

test.each(['"straight"', "l\u2019h\u00F4tel d", "1\u20132 and more", "a \u2013 b"])(
  "nothing is said of %s",
  (value) => {
    expect(marks({ "spark.app.name": value, "spark.description": value })).toEqual([]);
  },
);
