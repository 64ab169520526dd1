import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FLAGS, takesValue } from "../src/flag-table.ts";
import { parseArguments } from "../src/parse-arguments.ts";
import { caughtFrom } from "@kindling/test-kit/caught";

// The flags with values that are kept under the flags' own names.
const valued = FLAGS.filter(
  ({ name, effect }) =>
    (effect.kind === "conf" ? effect.winner === "flag" : effect.kind === "uris" || effect.kind === "field") &&
    !["--conf", "--kill", "--status", "--extra-properties-file"].includes(name),
);
// The flags that spark-submit's launcher turns into a --conf of their key.
const rewritten = FLAGS.flatMap(({ name, effect }) =>
  effect.kind === "conf" && effect.winner === "last" ? [[name, effect.key] as const] : [],
);
const flag = fc.constantFrom(...valued.map(({ name }) => name));
const anyText = fc
  .string({ unit: "grapheme", maxLength: 20 })
  .map((text) => text.replaceAll(/[\n\r\u0085\u2028\u2029]/g, ""));

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

  test("may hold '=', and line ends unless they stand behind one", () => {
    expect(parseArguments(["--name=a=b"]).values.get("--name")).toBe("a=b");
    expect(parseArguments(["--name", "a\nb"]).values.get("--name")).toBe("a\nb");
    expect(caughtFrom(() => parseArguments(["--name=a\nb"]))).toMatchObject({
      code: "ARGUMENT_INVALID",
      message: "unrecognized option '--name=…'",
      hint: "the value holds a line end: write --name and the value as two arguments",
    });
  });

  test("lose their carriage returns on the way through spark-submit's script", () => {
    expect(parseArguments(["--name", "a\rb\r", "--conf", "spark.a=b\r", "app\r.py", "one\r\n", "\r"])).toMatchObject({
      values: new Map([["--name", "ab"]]),
      conf: { "spark.a": "b" },
      primaryResource: "app.py",
      appArgs: ["one\n", ""],
    });
  });

  test("of a flag given twice, the last counts", () => {
    expect(parseArguments(["--name", "a", "--name=b"]).values.get("--name")).toBe("b");
  });

  test("may look like flags, as spark-submit has it", () => {
    const parsed = parseArguments(["--name", "--verbose", "app.jar"]);
    expect(parsed.values.get("--name")).toBe("--verbose");
    expect(parsed.switches.has("--verbose")).toBe(false);
  });

  test.each(FLAGS.filter(takesValue).map(({ name }) => name))(
    "%s without one is an error that names the flag",
    (name) => {
      expect(caughtFrom(() => parseArguments([name]))).toMatchObject({
        code: "ARGUMENT_INVALID",
        message: `${name}: the value is missing`,
      });
    },
  );

  test("an empty one behind '=' is no value", () => {
    expect(caughtFrom(() => parseArguments(["--name=", "app.jar"])).message).toBe("--name=: the value is missing");
  });
});

test("a short form takes no value behind '='; of --conf the key is shown, and no value", () => {
  expect(caughtFrom(() => parseArguments(["-c=spark.password=hunter2"]))).toMatchObject({
    code: "ARGUMENT_INVALID",
    message: "unrecognized option '-c=spark.password=…'",
    hint: "write -c and the value as two arguments",
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

  test("behind --version nothing counts, but all flags must be there, with their values", () => {
    expect(parseArguments(["--version", "--kill", "a", "--name", "b"])).toMatchObject({
      switches: new Set(["--version"]),
      values: new Map(),
      primaryResource: undefined,
    });
    for (const wrong of [["--no-such-flag"], ["--name"]]) {
      expect(caughtFrom(() => parseArguments(["--version", ...wrong])).code).toBe("ARGUMENT_INVALID");
    }
  });

  test("that get a value behind '=' pass over it", () => {
    expect([...parseArguments(["--supervise=no", "--verbose=yes"]).switches]).toEqual(["--supervise", "--verbose"]);
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

test.each([
  ["--kill", "--status", "--kill and --status cannot be given together"],
  ["--status", "--kill", "--kill and --status cannot be given together"],
  ["--kill", "--kill", "--kill cannot be given twice"],
  ["--status", "--status", "--status cannot be given twice"],
])("%s and %s exclude each other", (one, other, message) => {
  for (const app of [[], ["app.jar"]]) {
    expect(caughtFrom(() => parseArguments([one, "a", other, "b", ...app]))).toMatchObject({
      code: "ARGUMENT_INVALID",
      message,
    });
  }
});

describe("a flag that is a --conf of its key to spark-submit's launcher", () => {
  test("is one of those that start a JVM", () => {
    expect(rewritten).toEqual([
      ["--driver-memory", "spark.driver.memory"],
      ["--driver-java-options", "spark.driver.extraJavaOptions"],
      ["--driver-library-path", "spark.driver.extraLibraryPath"],
      ["--driver-class-path", "spark.driver.extraClassPath"],
      ["--driver-default-class-path", "spark.driver.defaultExtraClassPath"],
    ]);
  });

  test("counts as the last one of flags and --confs, in whichever form they are written", () => {
    const value = anyText.filter((text) => text !== "");
    const setting = fc.record({ asFlag: fc.boolean(), asOneWord: fc.boolean(), value });
    fc.assert(
      fc.property(fc.constantFrom(...rewritten), fc.array(setting, { minLength: 1 }), ([name, key], settings) => {
        const argv = settings.flatMap(({ asFlag, asOneWord, value: text }) => {
          const [word, rest] = asFlag ? [name, text] : ["--conf", `${key}=${text}`];
          return asOneWord ? [`${word}=${rest}`] : [word, rest];
        });
        const parsed = parseArguments([...argv, "app.jar"]);
        expect(parsed.conf).toEqual({ [key]: settings.at(-1)?.value });
        expect(parsed.values.size).toBe(0);
      }),
    );
  });
});

describe("a class that is one of Spark's own programs", () => {
  const SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer";

  test("needs no application, and its arguments may stand among the flags", () => {
    expect(
      parseArguments(["--class", SERVER, "one", "--name", "n", "--own=value", "-x", "--conf", "spark.a=b", "two"]),
    ).toMatchObject({
      primaryResource: "spark-internal",
      appArgs: ["one", "--own", "-x", "two"],
      values: new Map([
        ["--class", SERVER],
        ["--name", "n"],
      ]),
      conf: { "spark.a": "b" },
    });
  });

  test("must come before the application, and stays even where another class comes behind it", () => {
    expect(parseArguments(["app.jar", "--class", SERVER])).toMatchObject({
      primaryResource: "app.jar",
      appArgs: ["--class", SERVER],
    });
    expect(parseArguments(["--class", SERVER, "--class", "M", "app.jar"])).toMatchObject({
      primaryResource: "spark-internal",
      appArgs: ["app.jar"],
      values: new Map([["--class", "M"]]),
    });
  });
});

test("files of --extra-properties-file are kept in their order", () => {
  const { extraPropertiesFiles } = parseArguments(["--extra-properties-file", "a", "--extra-properties-file=b"]);
  expect(extraPropertiesFiles).toEqual(["a", "b"]);
});

test("flags that not every spark-submit has are told apart", () => {
  const { laterFlags } = parseArguments(["--load-spark-defaults", "--name", "n", "--driver-default-class-path", "/a"]);
  expect(laterFlags.map(({ name }) => name)).toEqual(["--load-spark-defaults", "--driver-default-class-path"]);
});
