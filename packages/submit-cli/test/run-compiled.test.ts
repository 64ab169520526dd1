import { chmodSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kindling, type Finished } from "./fixtures/kindling-process.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

const DRY_RUN = ["submit", "--dry-run", "--conf", "spark.kubernetes.container.image=spark:4.3.0", "local:///a.py"];

const submit = (home: string, env: Readonly<Record<string, string>> = {}): Promise<Finished> =>
  kindling(DRY_RUN, { env: { HOME: home, ...env } });

async function expectToWork(running: Promise<Finished>): Promise<void> {
  const { code, stdout, stderr } = await running;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("kind: Pod");
}

const cacheIn = (home: string): string => join(home, ".cache", "kindling", "compile-cache");

test("a submission leaves what V8 compiled, for its user alone, and the next goes by it", async () => {
  const home = scratchFolder().path;
  await expectToWork(submit(home));
  const cache = cacheIn(home);
  expect(statSync(cache).mode & 0o777).toBe(0o600);
  expect(statSync(join(cache, "..")).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(cache, ".."))).toEqual(["compile-cache"]);
  const { mtimeMs, ino } = statSync(cache);
  await expectToWork(submit(home));
  expect(statSync(cache)).toMatchObject({ mtimeMs, ino });
});

test("the keys of Spark, which few submissions look at, have one of their own", async () => {
  const home = scratchFolder().path;
  const [command, ...rest] = DRY_RUN;
  const withSuspect = (): Promise<Finished> =>
    kindling([command ?? "", "--conf", "spark.sql.shuffle.partitions=8", ...rest], { env: { HOME: home } });
  await expectToWork(withSuspect());
  const keys = `${cacheIn(home)}-spark-keys`;
  expect(statSync(keys).mode & 0o777).toBe(0o600);
  const { mtimeMs, ino } = statSync(keys);
  await expectToWork(withSuspect());
  expect(statSync(keys)).toMatchObject({ mtimeMs, ino });
});

test("a reader of logs, who submits nothing, has one, too; other commands go by what there is", async () => {
  const home = scratchFolder().path;
  const env = { HOME: home, KUBECONFIG: "/nonexistent" };
  const logs = (): Promise<Finished> => kindling(["logs", "daily"], { env });
  expect((await kindling(["list"], { env })).code).toBe(1);
  expect(existsSync(`${cacheIn(home)}-logs`)).toBe(false);
  expect((await logs()).code).toBe(1);
  const { mtimeMs, ino } = statSync(`${cacheIn(home)}-logs`);
  expect([await logs(), await kindling(["list"], { env })].map(({ code }) => code)).toEqual([1, 1]);
  expect(readdirSync(join(home, ".cache", "kindling"))).toEqual(["compile-cache-logs"]);
  expect(statSync(`${cacheIn(home)}-logs`)).toMatchObject({ mtimeMs, ino });
});

test.each([4096, 3 * 4096])("a page that was never written is seen, at %i", async (at) => {
  const home = scratchFolder().path;
  await expectToWork(submit(home));
  const damaged = readFileSync(cacheIn(home)).fill(0, at, at + 4096);
  writeFileSync(cacheIn(home), damaged);
  await expectToWork(submit(home));
  expect(readFileSync(cacheIn(home)).equals(damaged)).toBe(false);
});

test("a damaged one is made anew", async () => {
  const home = scratchFolder().path;
  await expectToWork(submit(home));
  const { size } = statSync(cacheIn(home));
  const damaged = readFileSync(cacheIn(home));
  damaged.fill(0xff, Math.floor(size / 2), size);
  writeFileSync(cacheIn(home), damaged);
  await expectToWork(submit(home));
  expect(readFileSync(cacheIn(home)).equals(damaged)).toBe(false);
  truncateSync(cacheIn(home), Math.floor(size / 2));
  await expectToWork(submit(home));
  expect(statSync(cacheIn(home)).size).toBeGreaterThan(size / 2);
  writeFileSync(cacheIn(home), "something else");
  await expectToWork(submit(home));
});

test("one that others can write to is not gone by", async () => {
  const home = scratchFolder().path;
  await expectToWork(submit(home));
  const { ino } = statSync(cacheIn(home));
  chmodSync(cacheIn(home), 0o666);
  await expectToWork(submit(home));
  expect(statSync(cacheIn(home)).ino).not.toBe(ino);
  expect(statSync(cacheIn(home)).mode & 0o777).toBe(0o600);
});

test("where there can be none, it works without", async () => {
  const folder = scratchFolder();
  folder.write(".cache", "a file");
  await expectToWork(submit(folder.path));
  expect(readdirSync(folder.path)).toEqual([".cache"]);
});

test.each([
  ["where there is no home folder", "/nonexistent/home", {}],
  ["where it is not wanted", undefined, { NODE_DISABLE_COMPILE_CACHE: "1" }],
])("there is none %s", async (_, home, env) => {
  const folder = home ?? scratchFolder().path;
  await expectToWork(submit(folder, env));
  expect(existsSync(cacheIn(folder))).toBe(false);
});
