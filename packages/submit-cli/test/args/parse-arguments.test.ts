import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FLAGS, takesValue } from "../../src/args/flag-table.ts";
import { parseArguments } from "../../src/args/parse-arguments.ts";
import { caughtFrom } from "@kindling/test-kit/caught";

const valued = FLAGS.filter((flag) => takesValue(flag) && flag.name !== "--conf" && flag.name !== "--kill");
const flag = fc.constantFrom(...valued.map(({ name }) => name));
const anyText = fc.string({ unit: "grapheme", maxLength: 20 });

describe("the application", () => {
  test("is the first word that is no flag; everything behind it is its own", () => {
    const parsed = parseArguments(["--name", "etl", "app.py", "--name", "x", "--help", "--", "-v", ""]);
    expect(parsed.primaryResource).toBe("app.py");
    expect(parsed.appArgs).toEqual(["--name", "x", "--help", "--", "-v", ""]);
    expect(parsed.values.get("--name")).toBe("etl");
    expect(parsed.switches.size).toBe(0);
  });

  test("gets its arguments verbatim, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, flag, fc.constantFrom("--conf", "--version", "--kill"))), (appArgs) => {
        const parsed = parseArguments(["--class", "org.example.Main", "app.jar", ...appArgs]);
        expect(parsed.appArgs).toEqual(appArgs);
        expect(parsed.values).toEqual(new Map([["--class", "org.example.Main"]]));
      }),
    );
  });

  test("need not be there", () => {
    expect(parseArguments(["--class", "x"]).primaryResource).toBeUndefined();
    expect(parseArguments([])).toMatchObject({ primaryResource: undefined, appArgs: [] });
  });
});

describe("values", () => {
  test("may stand behind the flag or behind '='", () => {
    fc.assert(
      fc.property(
        flag,
        anyText.filter((text) => text !== ""),
        (name, value) => {
          expect(parseArguments([`${name}=${value}`, "app.jar"])).toEqual(parseArguments([name, value, "app.jar"]));
          expect(parseArguments([name, value]).values.get(name)).toBe(value);
        },
      ),
    );
  });

  test("may hold '=' and line ends", () => {
    expect(parseArguments(["--driver-java-options=-Da=b\n-Dc=d"]).values.get("--driver-java-options")).toBe(
      "-Da=b\n-Dc=d",
    );
  });

  test("of a flag given twice, the last counts", () => {
    expect(parseArguments(["--name", "a", "--name=b"]).values.get("--name")).toBe("b");
  });

  test("may look like flags, as spark-submit has it", () => {
    const parsed = parseArguments(["--name", "--verbose", "app.jar"]);
    expect(parsed.values.get("--name")).toBe("--verbose");
    expect(parsed.switches.has("--verbose")).toBe(false);
  });

  test.each(valued.map(({ name }) => name))("%s without one is an error that names the flag", (name) => {
    expect(caughtFrom(() => parseArguments([name]))).toMatchObject({
      code: "ARGUMENT_INVALID",
      message: `${name}: the value is missing`,
    });
  });

  test("an empty one behind '=' is no value", () => {
    expect(caughtFrom(() => parseArguments(["--name=", "app.jar"])).message).toBe("--name=: the value is missing");
  });
});

describe("--conf", () => {
  test("is split at the first '=', in each of its forms", () => {
    const { conf } = parseArguments(["--conf", "spark.a=b=c", "-c", "spark.b=", "--conf=spark.c=x y"]);
    expect(conf).toEqual({ "spark.a": "b=c", "spark.b": "", "spark.c": "x y" });
  });

  test("keeps any value as it is, and of a key given twice the last", () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1 }), (values) => {
        const { conf } = parseArguments(values.flatMap((value) => ["--conf", `spark.key=${value}`]));
        expect(conf).toEqual({ "spark.key": values.at(-1) });
      }),
    );
  });

  test("without '=' is refused, and says how to write it", () => {
    expect(caughtFrom(() => parseArguments(["--conf", "spark.executor.memory", "4g"]))).toMatchObject({
      code: "ARGUMENT_INVALID",
      message: "--conf spark.executor.memory: there is no '='",
      hint: "write --conf key=value",
    });
  });
});

describe("switches", () => {
  test("take no value", () => {
    const parsed = parseArguments(["--verbose", "--supervise", "--dry-run", "app.jar"]);
    expect([...parsed.switches]).toEqual(["--verbose", "--supervise", "--dry-run"]);
    expect(parsed.primaryResource).toBe("app.jar");
  });

  test("have short forms", () => {
    expect([...parseArguments(["-v", "-h"]).switches]).toEqual(["--verbose", "--help"]);
  });

  test("--version ends the parsing: what follows is not even looked at", () => {
    expect(parseArguments(["--version", "--no-such-flag", "--name"])).toMatchObject({
      switches: new Set(["--version"]),
      primaryResource: undefined,
      appArgs: [],
    });
  });
});

describe("a flag that there is not", () => {
  test.each([
    ["--exeuctor-memory", "did you mean --executor-memory?"],
    ["--num-executor", "did you mean --num-executors?"],
    ["--file", "did you mean --files?"],
    ["--driver-momery=4g", "did you mean --driver-memory?"],
    ["--completely-different", "see kindling submit --help"],
  ])("%s: %s", (word, hint) => {
    const error = caughtFrom(() => parseArguments([word, "x", "app.jar"]));
    expect(error).toMatchObject({ code: "ARGUMENT_INVALID", hint });
    expect(error.message).toBe(`unrecognized option '${word.split("=")[0]}'`);
  });

  test("with one letter left out brings up a flag that is just one letter away", () => {
    fc.assert(
      fc.property(fc.constantFrom(...FLAGS), fc.nat({ max: 30 }), ({ name }, at) => {
        const cut = 2 + (at % (name.length - 2));
        const word = name.slice(0, cut) + name.slice(cut + 1);
        fc.pre(!FLAGS.some((known) => known.name === word));
        const suggested = /did you mean (\S+)\?/.exec(caughtFrom(() => parseArguments([word])).hint ?? "")?.[1] ?? "";
        const shorter = (longer: string): string[] =>
          Array.from(longer, (_, index) => longer.slice(0, index) + longer.slice(index + 1));
        expect(shorter(suggested)).toContain(word);
      }),
    );
  });
});

test.each([[[]], [["app.jar"]]])("--kill and --status exclude each other, before %j", (app) => {
  expect(caughtFrom(() => parseArguments(["--kill", "a", "--status", "b", ...app])).code).toBe("ARGUMENT_INVALID");
});
