import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isKindlingError, sparkConf, type MainApplication } from "@kindling/core-spec";
import { memoryFiles } from "@kindling/core-spec/testing";
import { isSubmitterLocal, takeDependencies, type TakenDependencies } from "../../src/index.ts";

const JVM: MainApplication = { language: "java", resource: undefined, mainClass: "Main" };
const PYTHON: MainApplication = { language: "python", resource: "/home/me/app.py", mainClass: "PythonRunner" };
const FILES = ["app.py", "a.jar", "b.jar", "lib/a.jar", "d.csv", "e.tgz", "m.py", "p.zip"];

interface Given {
  readonly entries?: Record<string, string>;
  readonly version?: string;
  readonly application?: MainApplication;
  readonly wanted?: (uri: string) => boolean;
}

function take({
  entries = {},
  version = "4.3.0",
  application = JVM,
  wanted = isSubmitterLocal,
}: Given): TakenDependencies {
  const disk = memoryFiles(Object.fromEntries(FILES.map((name) => [`/home/me/${name}`, name])));
  return takeDependencies(sparkConf(entries, { sparkVersion: version }), application, disk, wanted);
}

function refusal(given: Given): string {
  try {
    take(given);
  } catch (error) {
    if (isKindlingError(error)) return `${error.message} (${error.hint ?? ""})`;
    throw error;
  }
  throw new Error("it was expected to be refused");
}

describe("dependencies of the submitter's disk", () => {
  test("jars become local: URIs in their places, and drivers leave them where they are", () => {
    const { entries, dependencies } = take({
      entries: { "spark.jars": "https://repo/r.jar,/home/me/a.jar,local:///opt/l.jar,/home/me/b.jar" },
    });
    expect(entries["spark.jars"]).toBe(
      "https://repo/r.jar,local:///var/spark-data/jars/a.jar,local:///opt/l.jar,local:///var/spark-data/jars/b.jar",
    );
    expect(entries["spark.kubernetes.jars.avoidDownloadSchemes"]).toBe("local");
    expect(dependencies.map(({ name }) => name)).toEqual(["jars/a.jar", "jars/b.jar"]);
  });

  test.each([
    ["3.5.9", undefined, undefined],
    ["4.0.0", "s3a", "s3a,local"],
    ["4.3.0", "*", "*"],
    ["4.3.0", "local,http", "local,http"],
  ])("with Spark %s and avoidDownloadSchemes %s, the driver gets %s", (version, given, wanted) => {
    const key = "spark.kubernetes.jars.avoidDownloadSchemes";
    const { entries } = take({
      version,
      entries: { "spark.jars": "/home/me/a.jar", ...(given !== undefined && { [key]: given }) },
    });
    expect(entries[key]).toBe(wanted);
  });

  test("archives leave their list, and files are the driver's to copy; executors have both in the working directory", () => {
    const { entries, dependencies } = take({
      entries: {
        "spark.files": "/home/me/d.csv#data.csv,s3a://bucket/r.csv",
        "spark.archives": "/home/me/e.tgz#env",
      },
    });
    expect(entries["spark.files"]).toBe("s3a://bucket/r.csv,local:///var/spark-data/files/data.csv");
    expect(entries).not.toHaveProperty(["spark.archives"]);
    expect(dependencies).toEqual([
      {
        kind: "file",
        from: { path: "/home/me/d.csv" },
        name: "files/data.csv",
        workName: "data.csv",
        inSparkFiles: true,
      },
      { kind: "archive", from: { path: "/home/me/e.tgz" }, name: "archives/env", workName: "env" },
    ]);
  });

  test.each([
    ["is larger than sparkFilesMaxSize", "/home/me/d.csv", { "spark.kindling.localizer.sparkFilesMaxSize": "4b" }],
    ["stands where none is wanted there", "/home/me/d.csv", { "spark.kindling.localizer.sparkFilesMaxSize": "0" }],
    ["has a name that a JVM may not open", "/home/me/d.csv#数据.csv", {}],
  ])("a file that %s leaves the list", (_, files, entries) => {
    const taken = take({ entries: { "spark.files": files, ...entries } });
    expect(taken.entries).not.toHaveProperty(["spark.files"]);
    expect(taken.dependencies).toEqual([expect.not.objectContaining({ inSparkFiles: true })]);
  });

  test("Python files join the PYTHONPATH, before what the user has there", () => {
    const { entries, mainApplication } = take({
      application: PYTHON,
      entries: {
        "spark.submit.pyFiles": "/home/me/m.py,/home/me/p.zip",
        "spark.executorEnv.PYTHONPATH": "/opt/mine",
      },
    });
    const staged = "/var/spark-data/py-files:/var/spark-data/py-files/p.zip";
    expect(entries["spark.submit.pyFiles"]).toBe("");
    expect(entries["spark.kubernetes.driverEnv.PYTHONPATH"]).toBe(staged);
    expect(entries["spark.executorEnv.PYTHONPATH"]).toBe(`${staged}:/opt/mine`);
    expect(mainApplication).toMatchObject({ resource: "local:///var/spark-data/app/app.py" });
  });

  test("remote ones are taken where they are wanted", () => {
    const { entries, dependencies } = take({
      entries: { "spark.jars": "https://repo/x/r.jar?token=1,/home/me/a.jar" },
      wanted: (uri) => uri.startsWith("https:"),
    });
    expect(entries["spark.jars"]).toBe("local:///var/spark-data/jars/r.jar,/home/me/a.jar");
    expect(dependencies).toEqual([{ kind: "jar", from: { uri: "https://repo/x/r.jar?token=1" }, name: "jars/r.jar" }]);
  });

  test("a submission without any stays as it is", () => {
    const entries = { "spark.jars": "local:///opt/a.jar", "spark.app.name": "x" };
    expect(take({ entries })).toEqual({ entries, dependencies: [], mainApplication: JVM });
  });

  test("the same file twice is one", () => {
    const { dependencies } = take({ entries: { "spark.jars": "/home/me/a.jar,/home/me/a.jar" } });
    expect(dependencies).toHaveLength(1);
  });

  test.each([
    [
      "two jars of one name",
      { "spark.jars": "/home/me/a.jar,/home/me/lib/a.jar" },
      /\/home\/me\/a\.jar and \/home\/me\/lib\/a\.jar would both be a\.jar.*#name/,
    ],
    [
      "a file and an archive of one name",
      { "spark.files": "/home/me/d.csv#x", "spark.archives": "/home/me/e.tgz#x" },
      /would both be x in the pods.*#name/,
    ],
    [
      "a file that is not there",
      { "spark.files": "/home/me/none" },
      /spark\.files: \/home\/me\/none: there is no such file/,
    ],
    ["a directory", { "spark.files": "/home/me/lib" }, /it is a directory/],
    ["a name that leads elsewhere", { "spark.files": "/home/me/d.csv#../d.csv" }, /plain file name/],
  ])("%s is refused", (_what, entries, message) => {
    expect(refusal({ entries })).toMatch(message);
  });

  test("no URI is lost, doubled or moved among those that stay", () => {
    const uri = fc.oneof(
      fc.nat(99).map((n) => `https://host/${n}.jar`),
      fc.nat(99).map((n) => `local:///opt/${n}.jar`),
      fc.constantFrom("/home/me/a.jar", "/home/me/b.jar"),
    );
    fc.assert(
      fc.property(fc.uniqueArray(uri, { maxLength: 8 }), (uris) => {
        const { entries, dependencies } = take({ entries: { "spark.jars": uris.join(",") } });
        const after = (entries["spark.jars"] ?? "").split(",").filter((item) => item !== "");
        const inPod = (uri: string): string => uri.replace("/home/me/", "local:///var/spark-data/jars/");
        expect(after).toEqual(uris.map(inPod));
        expect(dependencies.length).toBe(uris.filter(isSubmitterLocal).length);
      }),
    );
  });
});
