import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseProperties, sparkConf } from "@kindling/core-spec";
import { describe, expect, test } from "vitest";
import { parseCoordinates, parseExclusion } from "../../../src/gather/packages/coordinates.ts";
import { parseReport } from "../../../src/gather/packages/coursier.ts";
import { parseDependencyList } from "../../../src/gather/packages/maven.ts";
import { withPackages, type WithPackagesInput } from "../../../src/gather/packages/with-packages.ts";
import { systemClock, type Env } from "@kindling/outside";
import { caught } from "@kindling/test-kit/caught";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { planInput } from "../../fixtures/plan-input.ts";

const HERE = { "spark.kindling.packages.resolve": "submitter" };

function input(entries: Record<string, string>, language: "java" | "python" = "java"): WithPackagesInput {
  const { mainApplication } = planInput({});
  return {
    conf: sparkConf(entries, { sparkVersion: "4.3.0" }),
    mainApplication:
      language === "java" ? mainApplication : { language, resource: "local:///a.py", mainClass: "PythonRunner" },
  };
}

function resolved(given: WithPackagesInput, env: Env): Promise<Readonly<Record<string, string>>> {
  return withPackages(given, { env, clock: systemClock, signal: undefined, tell: () => {} });
}

describe("who resolves packages", () => {
  const packages = { "spark.jars.packages": "org.x:a:1" };

  test.each([
    ["the driver, as in Spark", packages],
    [
      "the driver, if it is to",
      { ...packages, "spark.kindling.staging.uri": "http://s", "spark.kindling.packages.resolve": "driver" },
    ],
    ["nobody without packages", HERE],
  ])("%s", async (_who, entries) => {
    const given = input(entries);
    expect(await resolved(given, {})).toBe(given.conf.entries);
  });

  test.each([HERE, { "spark.kindling.staging.uri": "http://s" }])("this machine, with %o", async (entries) => {
    const error = await caught(resolved(input({ ...packages, ...entries }), { PATH: "" }));
    expect(error).toMatchObject({ code: "UNSUPPORTED", hint: expect.stringContaining("resolve=driver") });
  });
});

describe("coursier", () => {
  test("gets coordinates, exclusions and repositories, and its jars join the lists", async () => {
    const folder = scratchFolder();
    folder.writeScript(
      "bin/cs",
      `printf '%s\\n' "$@" > ${folder.path}/args
while [ "$1" != --json-output-file ]; do shift; done
echo '{"dependencies": [{"coord": "org.x:a:1", "file": "/cache/a-1.jar"}, {"coord": "org.x:p:1", "file": null}]}' > "$2"`,
    );
    const entries = {
      ...HERE,
      "spark.jars": "local:///b.jar",
      "spark.jars.packages": "org.x:a:1,org.y/b:2",
      "spark.jars.excludes": "org.z:*",
      "spark.jars.repositories": "https://repo.example",
    };
    const env = { PATH: `${folder.path}/bin:/usr/bin:/bin` };
    const found = await resolved(input(entries, "python"), env);
    expect(found).toMatchObject({
      "spark.jars": "local:///b.jar,file:/cache/a-1.jar#org.x_a-1.jar",
      "spark.submit.pyFiles": "file:/cache/a-1.jar#org.x_a-1.jar",
    });
    expect(Object.keys(found).filter((key) => key.startsWith("spark.jars."))).toEqual([]);
    const args = execFileSync("cat", [`${folder.path}/args`], { encoding: "utf8" }).split("\n");
    expect(args).toEqual(
      expect.arrayContaining(["--repository", "https://repo.example", "org.z:*", "org.x:a:1", "org.y:b:2"]),
    );
  });

  test("gets passwords of repositories in a file, where other users of the machine do not see them", async () => {
    const folder = scratchFolder();
    folder.writeScript(
      "bin/cs",
      `printf '%s\\n' "$@" > ${folder.path}/args
while [ "$1" != --credential-file ]; do shift; done
ls -l "$2" | cut -c1-10 > ${folder.path}/mode; cp "$2" ${folder.path}/credentials
while [ "$1" != --json-output-file ]; do shift; done
echo '{"dependencies": []}' > "$2"`,
    );
    const repositories = "https://open.example/a,https://me:hunter%3A2@closed.example/b,http://you:50%@plain.example/c";
    const env = { PATH: `${folder.path}/bin:/usr/bin:/bin` };
    const entries = { ...HERE, "spark.jars.packages": "org.x:a:1", "spark.jars.repositories": repositories };
    await resolved(input(entries), env);
    const [args, mode, credentials] = ["args", "mode", "credentials"].map((name) =>
      readFileSync(`${folder.path}/${name}`, "utf8"),
    );
    expect(args).toContain(
      "https://open.example/a\n--repository\nhttps://closed.example/b\n--repository\nhttp://plain.",
    );
    expect(args).not.toMatch(/hunter|me:|you:/);
    expect(mode).toBe("-rw-------\n");
    expect(parseProperties(credentials ?? "")).toEqual({
      "repository1.host": "closed.example",
      "repository1.username": "me",
      "repository1.password": "hunter:2",
      "repository1.auto": "true",
      "repository1.https-only": "true",
      "repository2.host": "plain.example",
      "repository2.username": "you",
      "repository2.password": "50%",
      "repository2.auto": "true",
      "repository2.https-only": "false",
    });
  });

  test("what it complains of is passed on, without the password of a repository", async () => {
    const folder = scratchFolder();
    folder.writeScript("bin/cs", `echo "Resolution error: not found: https://me:hunter2@repo/a.pom" >&2; exit 1`);
    const env = { PATH: `${folder.path}/bin:/usr/bin:/bin` };
    const error = await caught(resolved(input({ ...HERE, "spark.jars.packages": "org.x:a:1" }), env));
    expect(error.message).toMatch(/could not resolve the packages: Resolution error: not found: https:/);
    expect(error.message).not.toContain("hunter2");
  });

  test("its report is read, classifiers too", () => {
    const dependencies = [
      { coord: "g:a:jar:tests:1", file: "/x/a-1-tests.jar" },
      { coord: "g:b:2", file: "/x/b-2.jar" },
    ];
    expect(parseReport(JSON.stringify({ dependencies })).map(({ path }) => path)).toEqual([
      "/x/a-1-tests.jar",
      "/x/b-2.jar",
    ]);
  });
});

const hasMaven = ((): boolean => {
  try {
    execFileSync("mvn", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasMaven)("Maven", () => {
  const jar = Buffer.from("UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==", "base64");

  /** A repository with two artifacts; the first needs the second. */
  function repository(): ScratchFolder {
    const folder = scratchFolder();
    publish(folder, "needed", "");
    publish(
      folder,
      "wanted",
      "<dependency><groupId>org.example.kindling</groupId><artifactId>needed</artifactId><version>1.0</version></dependency>",
    );
    return folder;
  }

  function publish(folder: ScratchFolder, artifact: string, dependencies: string): void {
    const at = `org/example/kindling/${artifact}/1.0/${artifact}-1.0`;
    const pom = `<project><modelVersion>4.0.0</modelVersion><groupId>org.example.kindling</groupId><artifactId>${artifact}</artifactId><version>1.0</version><dependencies>${dependencies}</dependencies></project>`;
    for (const [name, content] of [
      ["pom", pom],
      ["jar", jar],
    ] as const) {
      folder.write(`${at}.${name}`, content);
      folder.write(`${at}.${name}.sha1`, createHash("sha1").update(content).digest("hex"));
    }
  }

  function resolve(
    folder: ScratchFolder,
    more: Record<string, string> = {},
  ): Promise<Readonly<Record<string, string>>> {
    // Without this machine's coursier, if there is one, and with a separate folder for Maven's files.
    const env = { ...process.env, PATH: onlyMaven(), MAVEN_OPTS: `-Dmaven.repo.local=${folder.path}/local` };
    const entries = {
      ...HERE,
      "spark.jars.packages": "org.example.kindling:wanted:1.0",
      "spark.jars.repositories": `file://${folder.path}`,
      ...more,
    };
    return resolved(input(entries), env);
  }

  function onlyMaven(): string {
    const bin = scratchFolder();
    const maven = execFileSync("sh", ["-c", "command -v mvn"], { encoding: "utf8" }).trim();
    bin.writeScript("mvn", `PATH='${process.env["PATH"] ?? ""}' exec ${maven} "$@"`);
    return bin.path;
  }

  test("brings what is wanted and what that needs", async () => {
    const entries = await resolve(repository());
    expect((entries["spark.jars"] ?? "").split(",").map((uri) => uri.replace(/^.*#/, ""))).toEqual([
      "org.example.kindling_wanted-1.0.jar",
      "org.example.kindling_needed-1.0.jar",
    ]);
  }, 120_000);

  test("leaves out what is excluded", async () => {
    const entries = await resolve(repository(), { "spark.jars.excludes": "org.example.kindling:needed" });
    expect(entries["spark.jars"]).toMatch(/^[^,]*#org\.example\.kindling_wanted-1\.0\.jar$/);
  }, 120_000);

  test("refuses an artifact whose checksum is wrong", async () => {
    const folder = repository();
    folder.write("org/example/kindling/wanted/1.0/wanted-1.0.jar.sha1", "0".repeat(40));
    const error = await caught(resolve(folder));
    expect(error.message).toMatch(/[Cc]hecksum/);
  }, 120_000);
});

test("Maven's list is read, with classifiers, colours and module names", () => {
  const list = `
The following files have been resolved:
   org.x:a:jar:1.0:compile:/m2/a-1.0.jar -- module a (auto)
   \u001B[36morg.x:b:jar:linux:2.0:runtime (optional):/m2/b-2.0-linux.jar\u001B[0m
   org.x:c:pom:1.0:compile:/m2/c-1.0.pom
   org.x:d:jar:1.0:test:/m2/d.jar
`;
  expect(parseDependencyList(list)).toEqual([
    { path: "/m2/a-1.0.jar", name: "org.x_a-1.0.jar" },
    { path: "/m2/b-2.0-linux.jar", name: "org.x_b-2.0-linux.jar" },
  ]);
});

describe("coordinates", () => {
  test.each([
    ["g:a:1", { group: "g", artifact: "a", version: "1" }],
    ["g/a:1", { group: "g", artifact: "a", version: "1" }],
  ])("%s", (text, coordinates) => {
    expect(parseCoordinates(text)).toEqual(coordinates);
  });

  test.each(["a", "a:b", "a:b:c:d", ":b:c", "a::c", "a b:c:d", "a:b:<x>"])("%s are none", (text) => {
    expect(() => parseCoordinates(text)).toThrow("group:artifact:version");
  });

  test.each(["a", "a:b:c", ":"])("%s is no exclusion", (text) => {
    expect(() => parseExclusion(text)).toThrow("group:artifact");
  });
});
