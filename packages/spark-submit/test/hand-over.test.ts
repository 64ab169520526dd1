import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { describe, expect, test } from "vitest";
import { BIN, sparkSubmit, startSparkSubmit } from "./fixtures/spark-submit.ts";

const SAYS_ITS_ARGUMENTS = 'echo "$0 $PYTHONHASHSEED"; for word; do printf "[%s]\\n" "$word"; done; exit 7';

/** A Spark installation: with its own spark-submit, unless something else replaces it, and with its starter. */
function spark(own = true): ScratchFolder {
  const folder = scratchFolder();
  folder.writeScript("bin/spark-class", SAYS_ITS_ARGUMENTS);
  if (own) folder.writeScript("bin/spark-submit", SAYS_ITS_ARGUMENTS);
  return folder;
}

/** Links this command into a folder. */
function link(folder: string, to = BIN): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "spark-submit");
  symlinkSync(to, path);
  return path;
}

/** The PATH of a shell that finds Node but no Spark, with folders in front. */
const pathWith = (...folders: readonly string[]): string =>
  [...folders, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);

const words = (stdout: string): string[] => stdout.split("\n").slice(1, -1);

describe("what is not for Kubernetes in cluster mode goes to the real spark-submit", () => {
  test.each([
    ["no master is local[*]", ["app.py", "a b", ""]],
    ["on Kubernetes the mode is client, too", ["--master", "k8s://http://127.0.0.1:1", "app.py"]],
    ["YARN", ["--master", "yarn", "--deploy-mode", "cluster", "--queue", "q", "app.py", "--logs"]],
    ["--remote", ["--remote", "sc://host", "app.py"]],
    ["--kill at another master", ["--master", "spark://host:7077", "--kill", "driver-1"]],
    ["bin/pyspark", ["pyspark-shell-main", "--name", "PySparkShell", "--new-flag"]],
    ["bin/spark-shell", ["--class", "org.apache.spark.repl.Main", "--name", "Spark shell"]],
    ["spark-shell --remote", ["--class=org.apache.spark.sql.application.ConnectRepl", "--name", "shell", "--new"]],
    ["bin/spark-sql", ["--class", "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver", "-e", "select 1"]],
  ])("%s: with all arguments, without a word of its own, with its exit code", async (_, args) => {
    const home = spark();
    const { code, stdout, stderr } = await sparkSubmit(args, { env: { SPARK_HOME: home.path } });
    expect(stdout.split("\n")[0]).toBe(`${home.path}/bin/spark-submit `);
    expect(words(stdout)).toEqual(args.map((word) => `[${word}]`));
    expect({ code, stderr }).toEqual({ code: 7, stderr: "" });
  });

  test("but for an application whose own arguments look like those of a shell", async () => {
    const main = ["--class", "org.example.Main", "local:///app.jar", "--class", "org.apache.spark.repl.Main"];
    const flags = ["--master", "k8s://http://127.0.0.1:1", "--deploy-mode", "cluster"];
    // Nothing listens at that address, so no installation is looked for.
    const alone = ["--conf", "spark.kindling.installation=none"];
    const { code, stdout, stderr } = await sparkSubmit([...flags, ...alone, ...main], {
      env: { SPARK_HOME: spark().path },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("spark.kubernetes.container.image");
  });

  test("in the mode that spark-defaults.conf says", async () => {
    const home = spark();
    home.write("conf/spark-defaults.conf", "spark.master k8s://http://127.0.0.1:1\nspark.submit.deployMode client\n");
    const { code } = await sparkSubmit(["app.py"], { env: { SPARK_HOME: home.path } });
    expect(code).toBe(7);
  });
});

describe("it never runs itself", () => {
  /** The output of Spark's starter when it does the work of `spark-submit app.py`. */
  const startedBy = ({ path }: ScratchFolder): string =>
    `${path}/bin/spark-class 0\n[org.apache.spark.deploy.SparkSubmit]\n[app.py]\n`;

  test("where it is linked in the place of Spark's: Spark's starter does the work", async () => {
    const home = spark(false);
    const program = link(join(home.path, "bin"));
    const { stdout } = await sparkSubmit(["app.py"], { program, env: { SPARK_HOME: home.path } });
    expect(stdout).toBe(startedBy(home));
  });

  test("nor needs it SPARK_HOME there: it lies in a Spark", async () => {
    const home = spark(false);
    const program = link(join(home.path, "bin"));
    const { stdout } = await sparkSubmit(["app.py"], { program });
    expect(stdout).toBe(startedBy(home));
  });

  test("through a link to a link", async () => {
    const home = spark(false);
    link(join(home.path, "bin"), link(scratchFolder().path));
    const { stdout } = await sparkSubmit(["app.py"], { env: { SPARK_HOME: home.path } });
    expect(stdout).toBe(startedBy(home));
  });

  test("through a script that runs it", async () => {
    const home = spark(false);
    home.writeScript("bin/spark-submit", `exec ${BIN} "$@"`);
    const { stdout } = await sparkSubmit(["app.py"], { env: { SPARK_HOME: home.path } });
    expect(stdout).toBe(startedBy(home));
  });

  test("through a script on the PATH, behind which the real one is found", async () => {
    const wrapper = scratchFolder();
    wrapper.writeScript("spark-submit", `exec ${BIN} "$@"`);
    const home = spark();
    const PATH = pathWith(dirname(link(scratchFolder().path)), wrapper.path, join(home.path, "bin"));
    const { code, stdout } = await sparkSubmit(["app.py"], { env: { PATH } });
    expect({ code, words: words(stdout) }).toEqual({ code: 7, words: ["[app.py]"] });
    expect(stdout.split("\n")[0]).toBe(`${home.path}/bin/spark-submit `);
  });

  test.each([
    ["nothing is there", () => ({ PATH: pathWith() }), "there is none"],
    ["it is all there is", () => ({ PATH: pathWith(dirname(link(scratchFolder().path))) }), "there is none"],
    [
      "SPARK_HOME holds no Spark",
      () => ({ SPARK_HOME: dirname(dirname(link(join(scratchFolder().path, "bin")))) }),
      "holds no Spark",
    ],
  ])("and says so where %s", async (_, env, words) => {
    const { code, stdout, stderr } = await sparkSubmit(["app.py"], { env: env() });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(words);
    expect(stderr).toContain("set SPARK_HOME");
  });

  test("an application may submit another", async () => {
    const home = spark();
    home.writeScript("bin/spark-submit", `[ "$1" = inner.py ] || exec ${BIN} inner.py`);
    home.writeScript("bin/spark-class", 'echo "$@"');
    const { stdout } = await sparkSubmit(["outer.py"], { env: { SPARK_HOME: home.path } });
    expect(stdout).toBe("org.apache.spark.deploy.SparkSubmit inner.py\n");
  });
});

describe("the real one and this are one process to a caller", () => {
  // Writes its id, and then whether it received a signal to end.
  const SLEEPS = 'trap \'echo told >"$LOG"; exit 143\' TERM; echo "started $$"; while :; do sleep 0.05; done';

  test("SIGTERM ends both, with the real one's exit code", async () => {
    const home = scratchFolder();
    home.writeScript("bin/spark-submit", SLEEPS);
    const running = startSparkSubmit(["app.py"], { env: { SPARK_HOME: home.path, LOG: join(home.path, "log") } });
    await running.saying("started");
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(143);
    expect(readFileSync(join(home.path, "log"), "utf8")).toBe("told\n");
  });

  test.each(["SIGKILL", "SIGHUP"] as const)("%s of this one ends the real one, too", async (signal) => {
    const home = scratchFolder();
    home.writeScript("bin/spark-submit", SLEEPS);
    const log = join(home.path, "log");
    const running = startSparkSubmit(["app.py"], { env: { SPARK_HOME: home.path, LOG: log } });
    await running.saying("started");
    running.child.kill(signal);
    // Both hold the streams, so this is the end of both.
    await running.ended;
    expect(existsSync(log)).toBe(true);
  });
});
