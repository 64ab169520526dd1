import { describe, expect, test } from "vitest";
import { kindling, startKindling } from "./fixtures/kindling-process.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

/** A SPARK_HOME with a spark-submit that prints its arguments, one on a line, and ends with a code. */
function sparkHome(script = 'for word; do printf "[%s]\\n" "$word"; done; exit 7'): string {
  const folder = scratchFolder();
  folder.writeScript("bin/spark-submit", script);
  return folder.path;
}

const handedOver = async (...args: string[]): Promise<{ code: number | null; words: string[]; stderr: string }> => {
  const { code, stdout, stderr } = await kindling(["submit", ...args], { env: { SPARK_HOME: sparkHome() } });
  return { code, words: stdout.split("\n").flatMap((line) => (line === "" ? [] : [line.slice(1, -1)])), stderr };
};

describe("what is for spark-submit is handed over", () => {
  test("verbatim, with its exit code and a note", async () => {
    const args = [
      "--master",
      "local[*]",
      "--conf",
      "spark.a=b c",
      "--name=x y",
      "-v",
      "app.py",
      "",
      "--steps",
      "*",
      "ü",
    ];
    const { code, words, stderr } = await handedOver(...args);
    expect(words).toEqual(args);
    expect(code).toBe(7);
    expect(stderr).toBe("note: local[*] is no Kubernetes master: handing over to spark-submit\n");
  });

  test("without the flags that it does not know, of which the note tells", async () => {
    const { words, stderr } = await handedOver(
      ...[
        "--deploy-mode",
        "client",
        "--steps",
        "a,b",
        "--submission-id=x",
        "-o",
        "json",
        "--logs",
        "--dry-run",
        "--class",
        "C",
      ],
      ...["app.jar", "--logs", "-o", "x"],
    );
    expect(words).toEqual(["--deploy-mode", "client", "--class", "C", "app.jar", "--logs", "-o", "x"]);
    expect(stderr).toContain(
      "handing over to spark-submit, without --logs, --dry-run, --steps, --submission-id, --output\n",
    );
  });

  test.each([
    [["--deploy-mode", "client"], "in client mode the driver runs on this machine"],
    [["--master", "yarn", "--deploy-mode", "cluster"], "yarn is no Kubernetes master"],
    [["--remote", "sc://host"], "--remote is a connection from this machine"],
  ])("for %j", async (flags, reason) => {
    const { words, stderr } = await handedOver(...flags, "app.py");
    expect(words).toEqual([...flags, "app.py"]);
    expect(stderr).toContain(reason);
  });

  test("with the environment and the folder of the caller", async () => {
    const cwd = scratchFolder().path;
    const env = { SPARK_HOME: sparkHome('echo "$PWD $GREETING"'), GREETING: "hello" };
    const { code, stdout } = await kindling(["submit", "--master", "local", "app.py"], { env, cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${cwd} hello\n` });
  });
});

describe("spark-submit that does not end by itself", () => {
  const SLEEP = "trap 'echo ended by TERM; exit 3' TERM; echo started; while :; do sleep 0.05; done";

  test("gets the SIGTERM that is sent to kindling", async () => {
    const process = startKindling(["submit", "--master", "local", "app.py"], { env: { SPARK_HOME: sparkHome(SLEEP) } });
    await process.saying("started");
    process.child.kill("SIGTERM");
    const { code, stdout } = await process.ended;
    expect({ code, stdout }).toEqual({ code: 3, stdout: "started\nended by TERM\n" });
  });

  test.each([
    ["TERM", 143],
    ["INT", 130],
    ["KILL", 137],
  ])("and is ended by SIG%s gives a shell's exit code", async (signal, expected) => {
    const { code } = await kindling(["submit", "--master", "local", "app.py"], {
      env: { SPARK_HOME: sparkHome(`kill -${signal} $$`) },
    });
    expect(code).toBe(expected);
  });
});

describe("without a spark-submit", () => {
  test("the error says what would be run", async () => {
    const { code, stdout, stderr } = await kindling([
      "submit",
      "--master",
      "local[2]",
      "--logs",
      "--name",
      "a b",
      "app.py",
      "x",
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      "error: local[2] is no Kubernetes master: this needs spark-submit, and SPARK_HOME is not set\n",
    );
    expect(stderr).toContain(
      'hint: set SPARK_HOME; this would then run: $SPARK_HOME/bin/spark-submit --master local[2] --name "a b" app.py …\n',
    );
  });

  test("the error names the program that cannot be run", async () => {
    const { code, stderr } = await kindling(["submit", "--master", "local", "app.py"], {
      env: { SPARK_HOME: "/nonexistent" },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: \/nonexistent\/bin\/spark-submit cannot be run: .*ENOENT$/m);
  });
});
