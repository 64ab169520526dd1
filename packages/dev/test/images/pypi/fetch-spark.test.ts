import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { systemClock } from "@kindling/outside";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { DevCluster } from "@kindling/devcluster";
import { fetchSpark, type FetchOptions, type FetchProgress } from "../../../src/images/pypi/fetch-spark.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { sparkFolder } from "../support/spark-folder.ts";

/** The source archive of a pyspark, with everything in the places of real releases. */
function sourceArchive(version: string): Buffer {
  const work = scratchFolder().path;
  const root = join(work, `pyspark-${version}`);
  sparkFolder(version, join(root, "deps"));
  mkdirSync(join(root, "pyspark"));
  writeFileSync(join(root, "pyspark", "__init__.py"), "");
  renameSync(join(root, "deps", "python", "lib"), join(root, "lib"));
  execFileSync("rm", ["-r", join(root, "deps", "python"), join(root, "deps", "conf")]);
  writeFileSync(join(root, "lib", "pyspark.zip"), "zip");
  chmodSync(join(root, "deps", "bin", "spark-submit"), 0o644);
  mkdirSync(join(root, "deps", "examples"));
  writeFileSync(join(root, "deps", "examples", "pi.py"), "");
  execFileSync("tar", ["-czf", join(work, "a.tar.gz"), "-C", work, `pyspark-${version}`]);
  return readFileSync(join(work, "a.tar.gz"));
}

interface Index {
  readonly url: string;
  readonly requests: string[];
  /** The credentials in requests. */
  readonly users: Set<string | undefined>;
  /** Answers a request for an archive; by default with the whole archive. */
  sendArchive: (response: ServerResponse, archive: Buffer) => void;
  /** The digest of an archive in the index; by default the correct one. */
  digestOf: (archive: Buffer) => string;
}

/** An index of packages with some versions of pyspark. */
async function startIndex(versions: readonly string[], form: "json" | "html"): Promise<Index> {
  const archives = new Map(versions.map((version) => [`/files/pyspark-${version}.tar.gz`, sourceArchive(version)]));
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    index.requests.push(path);
    index.users.add(request.headers.authorization);
    const archive = archives.get(path);
    if (archive !== undefined) return index.sendArchive(response, archive);
    if (path !== "/simple/pyspark/") return void response.writeHead(404).end();
    const files = [...archives].map(([url, bytes]) => ({ url, name: url.slice(7), sha256: index.digestOf(bytes) }));
    if (form === "json") {
      response.setHeader("content-type", "application/vnd.pypi.simple.v1+json");
      const listed = files.map(({ url, name, sha256 }) => ({ filename: name, url: `../..${url}`, hashes: { sha256 } }));
      response.end(JSON.stringify({ files: [{ filename: "pyspark-9.0.0.zip", url: "x", hashes: {} }, ...listed] }));
    } else {
      response.setHeader("content-type", "text/html");
      const links = files.map(
        ({ url, name, sha256 }) => `<a href="../..${url}#sha256=${sha256}" data-x="1">${name}</a><br/>`,
      );
      response.end(`<!DOCTYPE html><html><body>${links.join("\n")}</body></html>`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const index: Index = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`,
    requests: [],
    users: new Set(),
    sendArchive: (response, archive) => void response.setHeader("content-length", archive.length).end(archive),
    digestOf: (archive) => createHash("sha256").update(archive).digest("hex"),
  };
  return index;
}

let cacheFolder: string;
beforeEach(() => {
  cacheFolder = join(scratchFolder().path, "cache", "spark");
});

function options(index: string, more: Partial<FetchOptions> = {}): FetchOptions {
  return { index, cacheFolder, env: process.env, clock: systemClock, signal: new AbortController().signal, ...more };
}

describe.each(["json", "html"] as const)("from an index that answers in %s", (form) => {
  test("a version is fetched, checked, and laid out as an installation", async () => {
    const index = await startIndex(["3.5.9", "4.3.0"], form);
    const seen: FetchProgress[] = [];
    const spark = await fetchSpark("3.5.9", options(index.url, { onProgress: (progress) => seen.push(progress) }));
    const home = join(cacheFolder, "3.5.9");
    expect(spark).toEqual({ home, version: "3.5.9", origin: "cache" });
    expect(readdirSync(home).sort()).toEqual(["bin", "examples", "jars", "python", "sbin"]);
    expect(readdirSync(join(home, "examples/src/main/python"))).toEqual(["pi.py"]);
    expect(readdirSync(join(home, "python")).sort()).toEqual(["lib", "pyspark"]);
    expect(statSync(join(home, "bin", "spark-submit")).mode & 0o111).toBe(0o111);
    expect(readdirSync(cacheFolder)).toEqual(["3.5.9"]);
    const last = seen.findLast(({ state }) => state === "download");
    expect(last?.received).toBe(last?.total);
    expect(seen.at(-1)?.state).toBe("unpack");
  });

  test.each([
    [undefined, "4.10.0"],
    ["4", "4.10.0"],
    ["3.5", "3.5.10"],
  ])("%s is the newest that begins so: %s", async (wanted, version) => {
    const index = await startIndex(["3.5.9", "3.5.10", "4.9.0", "4.10.0"], form);
    expect((await fetchSpark(wanted, options(index.url))).version).toBe(version);
  });
});

test("what is in the cache is not fetched again", async () => {
  const index = await startIndex(["4.3.0"], "html");
  await fetchSpark("4.3.0", options(index.url));
  await fetchSpark("4.3.0", options(index.url));
  expect(index.requests.filter((path) => path.startsWith("/files/"))).toHaveLength(1);
});

test("a closed index gets the user that its URI names, for archives too", async () => {
  const index = await startIndex(["4.3.0"], "html");
  await fetchSpark("4.3.0", options(index.url.replace("//", "//me:p%40ss@")));
  expect([...index.users]).toEqual([`Basic ${Buffer.from("me:p@ss").toString("base64")}`]);
});

test("two that fetch the same at once both get it", async () => {
  const index = await startIndex(["4.3.0"], "html");
  const both = await Promise.all([1, 2].map(() => fetchSpark("4.3.0", options(index.url))));
  expect(both.map(({ home }) => existsSync(join(home, "jars")))).toEqual([true, true]);
  expect(readdirSync(cacheFolder)).toEqual(["4.3.0"]);
});

describe("nothing is left and the reason is said when", () => {
  const fails = async (index: Index, version: string, more: Partial<FetchOptions> = {}): Promise<string> => {
    const error: unknown = await fetchSpark(version, options(index.url, more)).catch((thrown: unknown) => thrown);
    expect(existsSync(cacheFolder) ? readdirSync(cacheFolder) : []).toEqual([]);
    if (!(error instanceof Error)) throw new Error("it did not fail");
    return error.message;
  };

  test("the digest is another", async () => {
    const index = await startIndex(["4.3.0"], "html");
    index.digestOf = () => "0".repeat(64);
    expect(await fails(index, "4.3.0")).toBe("Spark 4.3.0 is damaged: the index gives another digest");
  });

  test("the connection breaks", async () => {
    const index = await startIndex(["4.3.0"], "html");
    index.sendArchive = (response, archive) => {
      response.setHeader("content-length", archive.length);
      response.write(archive.subarray(0, 100), () => response.destroy());
    };
    expect(await fails(index, "4.3.0")).toMatch(/^cannot fetch Spark 4\.3\.0: /);
  });

  test("the server refuses", async () => {
    const index = await startIndex(["4.3.0"], "html");
    index.sendArchive = (response) => void response.writeHead(503).end();
    expect(await fails(index, "4.3.0")).toBe("cannot fetch Spark 4.3.0: the server answered 503");
  });

  test("the user interrupts", async () => {
    const index = await startIndex(["4.3.0"], "html");
    const interrupt = new AbortController();
    index.sendArchive = (response, archive) => void response.write(archive.subarray(0, 100), () => interrupt.abort());
    expect(await fails(index, "4.3.0", { signal: interrupt.signal })).toBe("fetching Spark 4.3.0 was interrupted");
  });

  test("it is no archive", async () => {
    const index = await startIndex(["4.3.0"], "html");
    const junk = Buffer.from("junk");
    index.digestOf = () => createHash("sha256").update(junk).digest("hex");
    index.sendArchive = (response) => void response.end(junk);
    expect(await fails(index, "4.3.0")).toMatch(/^cannot unpack Spark 4\.3\.0: /);
  });

  test("there is no such version", async () => {
    const index = await startIndex(["4.3.0"], "html");
    expect(await fails(index, "5.0.0")).toMatch(/^127\.0\.0\.1:\d+ has no pyspark 5\.0\.0$/);
  });
});

test("an index that is not there is named without what it may say about its user", async () => {
  const failing = fetchSpark("4.3.0", options("http://user:secret@127.0.0.1:9/simple"));
  await expect(failing).rejects.toThrow(/^cannot look for pyspark at 127\.0\.0\.1:9: /);
});

test("an index whose certificate nobody here knows says where to name its authority", async () => {
  // A server with its own CA.
  const cluster = await DevCluster.start({ tls: true });
  onTestFinished(() => cluster.stop());
  const uri = `${cluster.url}/simple`;
  await expect(fetchSpark("4.3.0", options(uri))).rejects.toMatchObject({
    message: expect.stringMatching(/^cannot look for pyspark at 127\.0\.0\.1:\d+: .*certificate/) as string,
    hint: expect.stringContaining("NODE_EXTRA_CA_CERTS") as string,
  });
});

test("what a killed fetch has left is removed, and what runs is not", async () => {
  const index = await startIndex(["4.3.0"], "html");
  mkdirSync(join(cacheFolder, ".fetching-999999999-abc"), { recursive: true });
  mkdirSync(join(cacheFolder, `.fetching-${process.pid}-abc`));
  await fetchSpark("4.3.0", options(index.url));
  expect(readdirSync(cacheFolder).sort()).toEqual([`.fetching-${process.pid}-abc`, "4.3.0"]);
});
