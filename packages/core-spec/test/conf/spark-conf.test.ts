import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ASSUMED_SPARK_VERSION,
  confKey,
  confPrefix,
  confType,
  optionalConfKey,
  sparkConf,
  type SparkConf,
} from "../../src/index.ts";

const MEMORY = confKey({
  key: "spark.driver.memory",
  type: confType.bytes("m"),
  default: "1g",
  readBy: ["submit"],
  doc: "",
});
const OPTIONAL = optionalConfKey({
  key: "spark.kerberos.keytab",
  type: confType.text,
  alternatives: ["spark.yarn.keytab"],
  readBy: ["submit"],
  doc: "",
});
const VERSIONED = confKey({
  key: "spark.x.mode",
  type: confType.boolean,
  default: [{ from: "claims-for-one-pod", text: "false" }, { text: "true" }],
  readBy: ["submit"],
  doc: "",
});
const TOKEN = optionalConfKey({ key: "spark.x.token", type: confType.int, secret: true, readBy: ["submit"], doc: "" });
const LABELS = confPrefix({ prefix: "spark.x.label.", placeholder: "<label>", readBy: ["submit"], doc: "" });

function conf(entries: Record<string, string>, sparkVersion = ASSUMED_SPARK_VERSION): SparkConf {
  return sparkConf(entries, { sparkVersion, env: (name) => (name === "HOME" ? "/home/me" : undefined) });
}

describe("sparkConf", () => {
  test("gives what was set, else the default, else nothing", () => {
    expect(conf({ "spark.driver.memory": "2g" }).get(MEMORY)).toBe(2048);
    expect(conf({}).get(MEMORY)).toBe(1024);
    expect(conf({}).get(OPTIONAL)).toBeUndefined();
  });

  test("reads sizes that are negative, as Spark does where a key has no bounds", () => {
    expect(conf({ "spark.driver.memory": "-1g" }).get(MEMORY)).toBe(-1024);
    expect(() => conf({ "spark.driver.memory": "--1g" }).get(MEMORY)).toThrow(/is not a size/);
  });

  test("looks under deprecated names where the key itself is not set", () => {
    expect(conf({ "spark.yarn.keytab": "old" }).get(OPTIONAL)).toBe("old");
    expect(conf({ "spark.yarn.keytab": "old", "spark.kerberos.keytab": "new" }).get(OPTIONAL)).toBe("new");
    expect(conf({ "spark.yarn.keytab": "old" }).has(OPTIONAL)).toBe(true);
  });

  test("names the key, too, where the value of a deprecated name is wrong", () => {
    const count = { ...TOKEN, alternatives: ["spark.x.ticket"], secret: false };
    expect(() => conf({ "spark.x.ticket": "many" }).get(count)).toThrow(
      /^spark\.x\.ticket: .*\(an old name of spark\.x\.token\)$/,
    );
  });

  test("knows defaults that differ between versions", () => {
    expect(conf({}, "3.5.9").get(VERSIONED)).toBe(true);
    expect(conf({}, "4.0.0").get(VERSIONED)).toBe(false);
  });

  test("expands references in typed reads only", () => {
    const expanding = conf({
      "spark.driver.memory": "${spark.x.size}",
      "spark.x.size": "${spark.x.n}g",
      "spark.x.n": "3",
    });
    expect(expanding.get(MEMORY)).toBe(3072);
    expect(expanding.raw("spark.driver.memory")).toBe("${spark.x.size}");
    expect(conf({ "spark.kerberos.keytab": "${env:HOME}/k ${env:NOPE} ${nope}" }).get(OPTIONAL)).toBe(
      "/home/me/k ${env:NOPE} ${nope}",
    );
  });

  test("says which key refers to itself", () => {
    const circular = conf({ "spark.driver.memory": "${spark.a}", "spark.a": "${spark.driver.memory}" });
    expect(() => circular.get(MEMORY)).toThrow("spark.driver.memory: ${spark.a} refers to itself");
  });

  test("finds the references that Spark's own pattern finds", { timeout: 60_000 }, () => {
    const piece = fc.constantFrom("${", "}", "spark.a", "spark.x.size", "env:", "HOME", ":", " ", "\n", "$", "{", "b");
    const values: Readonly<Record<string, string>> = { "spark.a": "A", "spark.x.size": "4" };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const expected = text.replace(/\$\{(?:(\w+?):)?(\S+?)\}/g, (whole, prefix: string | undefined, name: string) =>
          prefix === undefined ? (values[name] ?? whole) : prefix === "env" && name === "HOME" ? "/home/me" : whole,
        );
        expect(conf({ ...values, "spark.kerberos.keytab": text }).get(OPTIONAL)).toBe(expected);
      }),
    );
  });

  test("refuses references that nobody can mean: too many, too deep, and without an end", { timeout: 60_000 }, () => {
    const tenfold = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`spark.x${index + 1}`, `\${spark.x${index}}`.repeat(10)]),
    );
    const reading = (entries: Readonly<Record<string, string>>) => (): unknown => conf(entries).get(OPTIONAL);
    expect(reading({ ...tenfold, "spark.x0": "", "spark.kerberos.keytab": "${spark.x9}" })).toThrow(
      /spark\.kerberos\.keytab: \$\{spark\.x\d\} makes a value of more than 1048576 characters/,
    );
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`spark.x${index + 1}`, `\${spark.x${index}}`]),
    );
    expect(reading({ ...chain, "spark.kerberos.keytab": "${spark.x5000}" })).toThrow("is behind 100 other references");
    const open = "${".repeat(300_000);
    expect(conf({ "spark.kerberos.keytab": open }).get(OPTIONAL)).toBe(open);
  });

  test("names the key, the text and what was expected, but never a secret", () => {
    expect(() => conf({ "spark.driver.memory": "1.5g" }).get(MEMORY)).toThrow(
      'spark.driver.memory: "1.5g" is not a size such as 512m or 2g, without a fraction',
    );
    expect(() => conf({ "spark.x.token": "hunter2" }).get(TOKEN)).toThrow(
      "spark.x.token: its value is not a whole number",
    );
  });

  test("lists families by the rest of their keys, unexpanded", () => {
    expect(
      conf({ "spark.x.label.a": "1", "spark.x.label.b.c": "${env:HOME}", "spark.x.labels": "no" }).withPrefix(LABELS),
    ).toEqual({
      a: "1",
      "b.c": "${env:HOME}",
    });
  });

  test("does not take inherited members for entries", () => {
    expect(conf({}).raw("constructor")).toBeUndefined();
  });
});

describe("what a reference finds", () => {
  const name = optionalConfKey({ key: "spark.name", type: confType.text, readBy: ["submit"], doc: "" });
  const port = optionalConfKey({ key: "spark.name", type: confType.text, readBy: ["submit"], doc: "", literal: true });
  const reading = (text: string): { readonly typed: string | undefined; readonly literal: string | undefined } => {
    const conf = sparkConf({ "spark.name": text, "spark.set": "set" }, { sparkVersion: "4.3.0", fallback: defaultOf });
    return { typed: conf.get(name), literal: conf.get(port) };
  };
  const defaultOf = (key: string): string | undefined => (key === "spark.set" ? "default" : DEFAULTS[key]);
  const DEFAULTS: Readonly<Record<string, string>> = { "spark.unset": "1g", "spark.follows": "${spark.set}" };

  test.each([
    ["${spark.set}", "set"],
    ["x-${spark.unset}", "x-1g"],
    ["${env:spark.unset}", "1g"],
    ["${system:spark.unset}", "1g"],
    ["${spark.follows}", "set"],
    ["${other:spark.unset}", "${other:spark.unset}"],
    ["${spark.none}", "${spark.none}"],
  ])("%s is %s", (text, value) => expect(reading(text).typed).toBe(value));

  test("nothing where Spark reads the text as it stands", () => {
    expect(reading("${spark.set}").literal).toBe("${spark.set}");
  });
});
