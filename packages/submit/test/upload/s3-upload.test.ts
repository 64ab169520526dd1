import { createCipheriv } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { sparkConf, type SparkConf } from "@kindling/core-spec";
import { systemOutside } from "@kindling/outside";
import { hasVersitygw, startVersitygw, type S3Server } from "@kindling/test-kit/versitygw";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { upload } from "../../src/upload/upload.ts";
import type { UploadOutside } from "../../src/upload/upload-outside.ts";
import { caught } from "@kindling/test-kit/caught";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

const KEYS = { AWS_ACCESS_KEY_ID: "test-user", AWS_SECRET_ACCESS_KEY: "test/secret+key" };
const MIB = 1024 * 1024;

/** An environment with these variables, on a machine outside of any cloud. */
function withEnv(env: Record<string, string> = {}): UploadOutside {
  return { ...systemOutside(), env: { AWS_EC2_METADATA_DISABLED: "true", ...env } };
}

function confOf(entries: Record<string, string>): SparkConf {
  return sparkConf(
    Object.fromEntries(Object.entries(entries).map(([key, value]) => [`spark.hadoop.fs.s3a.${key}`, value])),
    { sparkVersion: "4.1.1" },
  );
}

function confFor(store: S3Server, changes: Record<string, string> = {}): SparkConf {
  return confOf({
    endpoint: store.endpoint,
    "path.style.access": "true",
    "access.key": KEYS.AWS_ACCESS_KEY_ID,
    "secret.key": KEYS.AWS_SECRET_ACCESS_KEY,
    ...changes,
  });
}

describe.skipIf(!hasVersitygw)("uploads to a real S3 server", () => {
  const store = async (): Promise<S3Server> => {
    const server = await startVersitygw(scratchFolder().path, "jobs", KEYS);
    onTestFinished(() => server.stop());
    return server;
  };

  test.each([
    ["an empty file", 0, "empty.jar"],
    ["a small file with a name that needs escapes", 1234, "my app (1)+é'!*%41.jar"],
    ["a file of exactly one part", 16 * MIB, "one-part.jar"],
    ["a file of several parts", 50 * MIB + 1, "parts.jar"],
  ])("%s arrives unchanged", async (_name, size, name) => {
    const s3 = await store();
    const bytes = unlikeBytes(size);
    const source = scratchFolder().write(name, bytes);
    await upload({ source, destination: `s3a://jobs/a/${name}` }, confFor(s3), withEnv(), undefined);
    expect(readFileSync(join(s3.root, "jobs", "a", name)).equals(bytes)).toBe(true);
  });

  test("a directory arrives with all that is in it", async () => {
    const s3 = await store();
    const folder = scratchFolder({ "lib/a.py": "a", "lib/deep/b.py": "b" });
    await upload(
      { source: join(folder.path, "lib"), destination: "s3a://jobs/a/lib" },
      confFor(s3),
      withEnv(),
      undefined,
    );
    expect(readFileSync(join(s3.root, "jobs", "a", "lib", "a.py"), "utf8")).toBe("a");
    expect(readFileSync(join(s3.root, "jobs", "a", "lib", "deep", "b.py"), "utf8")).toBe("b");
  });

  test("credentials may come from the environment, as Spark takes them", async () => {
    const s3 = await store();
    const source = scratchFolder().write("app.jar", "content");
    await upload(
      { source, destination: "s3a://jobs/app.jar" },
      confOf({ endpoint: s3.endpoint, "bucket.jobs.path.style.access": "true" }),
      withEnv({ ...KEYS, AWS_REGION: "us-east-1" }),
      undefined,
    );
    expect(readFileSync(join(s3.root, "jobs", "app.jar"), "utf8")).toBe("content");
  });

  test("a wrong secret is refused, in the store's words and without the secret", async () => {
    const s3 = await store();
    const source = scratchFolder().write("app.jar", "content");
    const conf = confFor(s3, { "secret.key": "not-the-secret" });
    const error = await caught(upload({ source, destination: "s3a://jobs/app.jar" }, conf, withEnv(), undefined));
    expect(error).toMatchObject({
      code: "UPLOAD_FAILED",
      message: expect.stringMatching(/app\.jar to s3a:.*SignatureDoesNotMatch, HTTP 403/),
      hint: expect.stringContaining("credentials"),
    });
    expect(JSON.stringify(error)).not.toContain("not-the-secret");
  });

  test("a bucket that is not there is named", async () => {
    const s3 = await store();
    const source = scratchFolder().write("app.jar", "content");
    const error = await caught(
      upload({ source, destination: "s3a://other/app.jar" }, confFor(s3), withEnv(), undefined),
    );
    expect(error).toMatchObject({ message: expect.stringMatching(/s3a:\/\/other\/app\.jar.*NoSuchBucket/) });
  });

  test("an upload in parts that is cancelled leaves nothing", async () => {
    const s3 = await store();
    const source = scratchFolder().write("app.jar", unlikeBytes(80 * MIB));
    const cancel = new AbortController();
    const ended = upload({ source, destination: "s3a://jobs/app.jar" }, confFor(s3), withEnv(), cancel.signal);
    await vi.waitFor(() => expect(unfinished(s3)).not.toEqual([]), { interval: 5, timeout: 20_000 });
    cancel.abort();
    await expect(ended).rejects.toThrow(/app\.jar/);
    expect(unfinished(s3)).toEqual([]);
    expect(readdirSync(join(s3.root, "jobs")).filter((name) => !name.startsWith("."))).toEqual([]);
  });
});

describe("uploads to a store that falters", () => {
  const file = (): { source: string; destination: string } => ({
    source: scratchFolder().write("app.jar", "content"),
    destination: "s3a://jobs/app.jar",
  });

  test("what passes is tried again", async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
      else if (requests === 2) response.destroy();
      else response.end();
    });
    await upload(file(), storeAt(url), withEnv(), undefined);
    expect(requests).toBe(3);
  });

  test("another region is named", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(301, { "x-amz-bucket-region": "eu-central-1" }).end();
    });
    expect(await caught(upload(file(), storeAt(url), withEnv(), undefined))).toMatchObject({
      hint: expect.stringContaining("spark.hadoop.fs.s3a.endpoint.region=eu-central-1"),
    });
  });

  test("without credentials nothing is sent", async () => {
    const error = await caught(upload(file(), confOf({}), withEnv(), undefined));
    expect(error).toMatchObject({ code: "CONF_MISSING", hint: expect.stringContaining("AWS_ACCESS_KEY_ID") });
  });

  test("an endpoint that is no URL is refused", async () => {
    const conf = confOf({ endpoint: "http://[", "access.key": "a", "secret.key": "b" });
    expect(await caught(upload(file(), conf, withEnv(), undefined))).toMatchObject({
      code: "CONF_INVALID",
      message: expect.stringContaining("spark.hadoop.fs.s3a.endpoint"),
    });
  });

  test("a path that names no bucket is refused", async () => {
    const refused = upload({ ...file(), destination: "s3a:///app.jar" }, confOf({}), withEnv(), undefined);
    expect(await caught(refused)).toMatchObject({ code: "CONF_INVALID" });
  });
});

/** Multipart uploads that were started, but neither completed nor aborted. */
function unfinished(store: S3Server): readonly string[] {
  const folder = join(store.root, "jobs", ".sgwtmp", "multipart");
  return existsSync(folder) ? readdirSync(folder) : [];
}

function storeAt(url: string): SparkConf {
  return confOf({ endpoint: url, "path.style.access": "true", "access.key": "a", "secret.key": "b" });
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => listener(request, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

/** This many bytes, the same in each run, without repetitions: a key stream. */
function unlikeBytes(count: number): Buffer {
  return createCipheriv("aes-128-ctr", Buffer.alloc(16, 1), Buffer.alloc(16)).update(Buffer.alloc(count));
}
