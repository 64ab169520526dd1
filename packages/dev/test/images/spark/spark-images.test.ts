import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ImagePullError } from "@kindling/devcluster";
import { describeImages } from "../../../src/images/described-images.ts";
import { sparkImages, type SparkImagesOptions } from "../../../src/images/spark/spark-images.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { javaText, program, programs, sparkFolder } from "../support/spark-folder.ts";

const GOOD = { java: "17.0.15", python: "3.11.7" };
const { signal } = new AbortController();

function images(
  options: Partial<SparkImagesOptions> & { readonly path?: string } = {},
): ReturnType<typeof sparkImages> {
  const { path = programs(GOOD), env = {}, ...rest } = options;
  return sparkImages({
    homes: [],
    cacheFolder: join(scratchFolder().path, "cache"),
    env: { PATH: `${path}:/usr/bin:/bin`, ...env },
    ...rest,
  });
}

const homeOf = async (source: ReturnType<typeof sparkImages>, reference: string): Promise<string | undefined> =>
  (await source.resolve(reference, signal))?.mounts
    .find(({ target }) => target === "/opt/spark/jars")
    ?.source.replace(/\/jars$/, "");

async function failure(promise: Promise<unknown>): Promise<ImagePullError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ImagePullError)) throw new Error(`no ImagePullError: ${String(error)}`);
  expect(error.reason).toBe("ErrImagePull");
  return error;
}

describe("which Spark", () => {
  const digest = `sha256:${"0a".repeat(32)}`;

  test.each([
    "apache/spark:4.3.0",
    "docker.io/apache/spark:4.3.0-scala2.13-java17-python3-ubuntu",
    "spark:4.3",
    `apache/spark:v4.3.0@${digest}`,
  ])("%s is the one of its version", async (reference) => {
    const [old, wanted] = [sparkFolder("3.5.9"), sparkFolder("4.3.0")];
    expect(await homeOf(images({ homes: [old, wanted] }), reference)).toBe(wanted);
  });

  test.each(["apache/spark", "spark:latest", "apache/spark:python3", `apache/spark@${digest}`])(
    "%s names no version and is the first there is",
    async (reference) => {
      const home = sparkFolder("3.5.9");
      expect(await homeOf(images({ homes: [home, sparkFolder("4.3.0")] }), reference)).toBe(home);
    },
  );

  test.each(["registry.example/apache/spark:4.3.0", "spark-history:1", "busybox", "Not An Image"])(
    "%s is none of its",
    async (reference) => {
      expect(await images({ homes: [sparkFolder("4.3.0")] }).resolve(reference, signal)).toBeUndefined();
    },
  );

  test("named folders come before SPARK_HOME, that before pyspark, that before fetched ones", async () => {
    const cacheFolder = scratchFolder().path;
    const cached = sparkFolder("4.3.0", join(cacheFolder, "4.3.0"));
    const [named, home, pyspark] = [sparkFolder("4.3.0"), sparkFolder("4.3.0"), sparkFolder("4.3.0")];
    const path = programs({ ...GOOD, pyspark });
    const withoutPyspark = { cacheFolder };
    expect(await homeOf(images({ homes: [named], path, cacheFolder, env: { SPARK_HOME: home } }), "spark:4.3.0")).toBe(
      named,
    );
    expect(await homeOf(images({ path, cacheFolder, env: { SPARK_HOME: home } }), "spark:4.3.0")).toBe(home);
    expect(await homeOf(images({ path, cacheFolder }), "spark:4.3.0")).toBe(pyspark);
    expect(await homeOf(images(withoutPyspark), "spark:4.3.0")).toBe(cached);
  });

  test("a version that is not there is refused with those that are", async () => {
    const home = sparkFolder("4.3.0");
    const { message } = await failure(images({ homes: [home] }).resolve("apache/spark:3.5.1", signal));
    expect(message).toBe(`apache/spark:3.5.1: Spark 3.5.1 is not on this machine; there is 4.3.0 (${home})`);
  });

  test("without any Spark it says what to do", async () => {
    mkdirSync(join(scratchFolder().path, "empty"));
    const { message } = await failure(images({ env: { SPARK_HOME: "/nowhere" } }).resolve("spark", signal));
    expect(message).toMatch(/a Spark is not on this machine; there is none: set SPARK_HOME, or install pyspark/);
  });

  test("a Spark that has gone, or changed its version, is not taken again", async () => {
    const { rmSync } = await import("node:fs");
    const home = sparkFolder("4.3.0");
    const source = images({ homes: [home] });
    expect(await homeOf(source, "spark:4.3.0")).toBe(home);
    rmSync(home, { recursive: true });
    sparkFolder("4.3.1", home);
    await failure(source.resolve("spark:4.3.0", signal));
    expect(await homeOf(source, "spark:4.3.1")).toBe(home);
  });

  test("fetching happens only where it is allowed, and once for pods that want it together", async () => {
    const home = sparkFolder("4.3.0");
    const asked: (string | undefined)[] = [];
    const source = images({
      fetch: async (version) => {
        asked.push(version);
        if (asked.length === 1) throw new Error("the network is down");
        return { home, version: "4.3.0", origin: "cache" };
      },
    });
    expect((await failure(source.resolve("spark:4.3.0", signal))).message).toBe("the network is down");
    const [one, two] = await Promise.all([homeOf(source, "spark:4.3.0"), homeOf(source, "apache/spark:4.3.0")]);
    expect([one, two, asked]).toEqual([home, home, ["4.3.0", "4.3.0"]]);
  });
});

describe("Java and Python", () => {
  test("the container finds both", async () => {
    const image = await images({ homes: [sparkFolder("4.3.0")] }).resolve("spark:4.3.0", signal);
    expect(image?.environment).toEqual({
      JAVA_HOME: "/java/home",
      SPARK_HOME: "/opt/spark",
      PATH: "/java/home/bin:/py/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    });
  });

  test("their folders are mounted where they are, but for those of the system", async () => {
    const image = await images({ homes: [sparkFolder("4.3.0")] }).resolve("spark:4.3.0", signal);
    const same = image?.mounts.filter(({ source, target }) => source === target);
    expect(same?.map(({ target }) => target)).toEqual(["/java/home", "/py"]);
  });

  test("JAVA_HOME counts first, if it is new enough", async () => {
    const path = programs(GOOD);
    const javaHome = async (version: string): Promise<string | undefined> => {
      const home = scratchFolder().path;
      program(join(home, "bin", "java"), javaText(version, "/chosen"));
      const source = images({ homes: [sparkFolder("4.3.0")], path, env: { JAVA_HOME: home } });
      return (await source.resolve("spark", signal))?.environment["JAVA_HOME"];
    };
    expect(await javaHome("21.0.1")).toBe("/chosen");
    expect(await javaHome("11.0.2")).toBe("/java/home");
  });

  test.each([
    ["4.3.0", "11.0.2", "there is no Java 17 or newer: java on the PATH is 11.0.2 (/java/home)"],
    ["4.3.0", undefined, "there is no Java 17 or newer: no java on the PATH"],
    ["3.5.9", "1.7.0_80", "there is no Java 8 or newer: java on the PATH is 1.7.0_80 (/java/home)"],
  ])("Spark %s does not run on Java %s", async (version, java, why) => {
    const folder = programs({ ...(java !== undefined && { java }), python: "3.11.7" });
    const path = { PATH: folder };
    const source = images({ homes: [sparkFolder(version)], env: path });
    const { message } = await failure(source.resolve("spark", signal));
    expect(message).toBe(`spark: Spark ${version} cannot run here: ${why}`);
  });

  test("Spark 3.5 runs on Java 8", async () => {
    const source = images({ homes: [sparkFolder("3.5.9")], path: programs({ java: "1.8.0_452", python: "3.11.7" }) });
    expect(await homeOf(source, "spark")).toBeDefined();
  });

  test("an image that is named after Python needs one; another is good for the JVM", async () => {
    const source = images({
      homes: [sparkFolder("4.3.0")],
      env: { PATH: programs({ java: "17.0.1", python: "3.7.2" }) },
    });
    const { message } = await failure(source.resolve("spark:4.3.0-python3", signal));
    expect(message).toContain("there is no Python 3.10 or newer: python3 on the PATH is 3.7.2 (/py/bin/python3)");
    expect(await homeOf(source, "spark:4.3.0")).toBeDefined();
  });
});

test("the folder's own configuration is not in the image", async () => {
  const image = await images({ homes: [sparkFolder("4.3.0")] }).resolve("spark", signal);
  const targets = image?.mounts.map(({ target }) => target).filter((target) => target.startsWith("/opt/spark/"));
  expect(targets?.sort()).toEqual(["bin", "jars", "python", "sbin"].map((name) => `/opt/spark/${name}`));
});

test("what there is can be listed", async () => {
  const home = sparkFolder("4.3.0");
  expect(await describeImages([images({ homes: [home] })])).toEqual([`apache/spark:4.3.0 (${home})`]);
  const fetching = images({ fetch: () => Promise.reject(new Error("not now")) });
  expect(await describeImages([fetching])).toEqual(["apache/spark:* (fetched from PyPI when a pod asks for it)"]);
});
