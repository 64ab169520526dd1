import { randomBytes } from "node:crypto";
import { link, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  bundleSource,
  connectStaging,
  digestOf,
  downloadFile,
  type ConnectOptions,
  type DownloadedFile,
  type DownloadOptions,
} from "../../src/index.ts";
import { fileServer, sendFile } from "../support/file-server.ts";
import { sendProblem } from "../support/stub-server.ts";
import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

const BYTES = randomBytes(1_000_000);
const DIGEST = digestOf(BYTES);
const ETAG = `"${DIGEST}"`;

type Handler = (request: IncomingMessage, response: ServerResponse, number: number) => void;

interface Scene {
  readonly target: string;
  readonly requests: readonly IncomingMessage[];
  readonly download: (more?: Partial<DownloadOptions>) => Promise<DownloadedFile>;
}

async function scene(handle: Handler, options: Partial<ConnectOptions> = {}): Promise<Scene> {
  let number = 0;
  const { url, requests } = await fileServer((request, response) => handle(request, response, number++));
  const client = connectStaging({ uri: url.origin, ...options });
  onTestFinished(() => client.close());
  const target = join(scratchFolder().path, "file");
  const source = bundleSource(client.connection, { bundleId: "b", secret: "the-secret", name: "jars/a b.jar" });
  return {
    target,
    requests,
    download: (more = {}) =>
      downloadFile({
        source,
        target,
        digest: DIGEST,
        size: BYTES.length,
        retry: { attempts: 5, baseMs: 1, capMs: 5 },
        ...more,
      }),
  };
}

const whole: Handler = (request, response) => sendFile(request, response, { bytes: BYTES, etag: ETAG });

/** Whether a complete file is there, and no other file beside it. */
async function arrived(target: string, bytes: Buffer = BYTES): Promise<boolean> {
  const names = await readdir(dirname(target));
  return (await readFile(target)).equals(bytes) && names.length === 1;
}

it("fetches a file with its secret, and gives it its mode", async () => {
  const { target, requests, download } = await scene(whole);
  expect(await download({ mode: 0o755 })).toEqual({ outcome: "fetched", size: BYTES.length, digest: DIGEST });
  expect(await arrived(target)).toBe(true);
  expect((await stat(target)).mode & 0o777).toBe(0o755);
  expect([requests[0]?.url, requests[0]?.headers.authorization]).toEqual([
    "/api/v1/bundles/b/files/jars/a%20b.jar?redirect=false",
    "Bearer the-secret",
  ]);
});

it("fetches nothing that is there already, but does not believe a name", async () => {
  const { target, requests, download } = await scene(whole);
  await download();
  expect(await download()).toMatchObject({ outcome: "present" });
  expect(requests).toHaveLength(1);
  const wrong = Buffer.from(BYTES);
  wrong[500] = (wrong[500] ?? 0) ^ 1;
  await writeFile(target, wrong);
  expect(await download()).toMatchObject({ outcome: "fetched" });
  expect(await arrived(target)).toBe(true);
});

it.each([1, 4095, 65_536, 999_999])("goes on where it was cut after %i bytes, each time", async (step) => {
  const { target, requests, download } = await scene((request, response, number) =>
    sendFile(request, response, { bytes: BYTES, etag: ETAG, ...(number < 6 && { cutAfter: step }) }),
  );
  await download();
  expect(await arrived(target)).toBe(true);
  const later = requests.slice(1);
  expect(later.length).toBeGreaterThan(0);
  expect(later.every(({ headers }) => /^bytes=\d+-$/.test(headers.range ?? ""))).toBe(true);
});

it("goes on with what an earlier process left", async () => {
  const { target, requests, download } = await scene(whole);
  await writeFile(`${target}.part`, BYTES.subarray(0, 600_000));
  const counted: number[] = [];
  await download({ onBytes: (bytes) => counted.push(bytes) });
  expect(await arrived(target)).toBe(true);
  expect(requests[0]?.headers).toMatchObject({ range: "bytes=600000-", "if-range": ETAG });
  expect(counted.reduce((sum, bytes) => sum + bytes, 0)).toBe(400_000);
});

it("asks for nothing where an earlier process left all of it", async () => {
  const { target, requests, download } = await scene(whole);
  await writeFile(`${target}.part`, BYTES);
  await download();
  expect(await arrived(target)).toBe(true);
  expect(requests).toHaveLength(0);
});

it.each([
  ["wrong bytes", () => randomBytes(600_000)],
  ["too many bytes", () => randomBytes(2_000_000)],
])("begins anew where an earlier process left %s", async (_what, left) => {
  const { target, download } = await scene(whole);
  await writeFile(`${target}.part`, left());
  await download();
  expect(await arrived(target)).toBe(true);
});

it("takes the whole file where the server will not go on in the middle", async () => {
  const { target, download } = await scene(
    (_request, response) => void response.writeHead(200, { "content-length": BYTES.length }).end(BYTES),
  );
  await writeFile(`${target}.part`, randomBytes(1000));
  await download();
  expect(await arrived(target)).toBe(true);
});

it("fetches damaged bytes once more, and no third time", async () => {
  const damaged = Buffer.from(BYTES);
  damaged[7] = (damaged[7] ?? 0) ^ 1;
  const once = await scene((request, response, number) =>
    sendFile(request, response, { bytes: number === 0 ? damaged : BYTES, etag: ETAG }),
  );
  await once.download();
  expect(await arrived(once.target)).toBe(true);
  const always = await scene((request, response) => sendFile(request, response, { bytes: damaged, etag: ETAG }));
  await expect(always.download()).rejects.toMatchObject({ fault: "digest", retryable: false });
  expect(always.requests.filter(({ method }) => method === "GET")).toHaveLength(2);
  expect(await readdir(dirname(always.target))).toEqual([]);
});

const REPORT = "/api/v1/bundles/b/damaged";

/** Serves a damaged file, and answers damage reports with `answer`. */
function damagedFile(answer: (response: ServerResponse) => void): Handler {
  const damaged = Buffer.from(BYTES);
  damaged[7] = (damaged[7] ?? 0) ^ 1;
  return (request, response) => {
    if (request.url === REPORT) answer(response);
    else sendFile(request, response, { bytes: damaged, etag: ETAG });
  };
}

const stateIs = (state: string) => (response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ state }));

it("tells the server of wrong bytes, and fetches no more of a file that is damaged there", async () => {
  const { target, requests, download } = await scene(damagedFile(stateIs("damaged")));
  await expect(download()).rejects.toMatchObject({
    fault: "digest",
    message: expect.stringContaining("damaged where it is stored") as string,
    hint: expect.stringContaining("submit again") as string,
  });
  expect(requests.map(({ method, url }) => `${method} ${url?.split("?")[0]}`)).toEqual([
    "GET /api/v1/bundles/b/files/jars/a%20b.jar",
    `POST ${REPORT}`,
  ]);
  expect(requests[1]?.headers.authorization).toBe("Bearer the-secret");
  expect(await readdir(dirname(target))).toEqual([]);
});

it.each([
  ["finds nothing wrong", stateIs("sound")],
  ["does not look", stateIs("unknown")],
  ["does not know such reports", (response: ServerResponse) => sendProblem(response, 404, "not-found")],
  ["answers nonsense", (response: ServerResponse) => void response.end("<html>")],
  ["breaks off", (response: ServerResponse) => void response.destroy()],
])("goes on as ever where a server %s", async (_what, answer) => {
  const { requests, download } = await scene(damagedFile(answer));
  await expect(download()).rejects.toMatchObject({
    fault: "digest",
    message: expect.stringContaining("twice") as string,
  });
  expect(requests.map(({ method }) => method)).toEqual(["GET", "POST", "GET"]);
});

it("tells of no wrong bytes that an earlier process left", async () => {
  const { target, requests, download } = await scene(whole);
  await writeFile(`${target}.part`, randomBytes(600_000));
  await download();
  expect(requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
});

it.each([
  ["shorter", BYTES.subarray(0, 900_000)],
  ["longer", Buffer.concat([BYTES, randomBytes(1000)])],
])("takes no file that is %s than announced", async (_what, bytes) => {
  const { target, download } = await scene((request, response) => sendFile(request, response, { bytes, etag: ETAG }));
  await expect(download()).rejects.toMatchObject({ name: "StagingError" });
  await expect(stat(target)).rejects.toThrow("ENOENT");
});

it.each([
  [401, "unauthorized", "unauthorized"],
  [403, "forbidden", "forbidden"],
  [404, "not-found", "not-found"],
  [410, "bundle-gone", "gone"],
  [422, "blobs-missing", "rejected"],
])("does not repeat what a server refuses with %i", async (status, problem, fault) => {
  const { requests, download } = await scene((_request, response) => sendProblem(response, status, problem));
  await expect(download()).rejects.toMatchObject({ fault, status });
  expect(requests).toHaveLength(1);
});

it.each([408, 429, 500, 502, 503])("repeats what a server refuses with %i", async (status) => {
  const { target, download } = await scene((request, response, number) => {
    if (number < 3) response.writeHead(status).end("busy");
    else whole(request, response, number);
  });
  await download();
  expect(await arrived(target)).toBe(true);
});

it("ends a download whose bytes stop, and goes on with a new one", async () => {
  const { target, requests, download } = await scene(
    (request, response, number) => {
      if (number > 0) return whole(request, response, number);
      response.writeHead(200, { "content-length": BYTES.length, etag: ETAG }).write(BYTES.subarray(0, 300_000));
      return undefined;
    },
    { stallTimeoutMs: 200 },
  );
  await download();
  expect(await arrived(target)).toBe(true);
  expect(requests[1]?.headers.range).toBe("bytes=300000-");
});

it("stops when it is told to, and leaves what it has for the next time", async () => {
  const abort = new AbortController();
  const { target, download } = await scene((_request, response) => {
    response.writeHead(200, { "content-length": BYTES.length, etag: ETAG }).write(BYTES.subarray(0, 300_000));
    void eventually(async () => expect((await stat(`${target}.part`)).size).toBe(300_000)).then(() => abort.abort());
  });
  await expect(download({ signal: abort.signal })).rejects.toMatchObject({ fault: "cancelled" });
  expect((await stat(`${target}.part`)).size).toBe(300_000);
});

it("does not write through a link that somebody has put in its way", async () => {
  const { target, download } = await scene(whole);
  const victim = join(scratchFolder().path, "victim");
  await writeFile(victim, "precious");
  await symlink(victim, `${target}.part`);
  await symlink(victim, target);
  await download();
  expect(await arrived(target)).toBe(true);
  expect(await readFile(victim, "utf8")).toBe("precious");
  expect((await stat(target)).isFile()).toBe(true);

  const other = await scene(whole);
  const neighbour = join(dirname(other.target), "neighbour");
  await writeFile(neighbour, "precious");
  await link(neighbour, `${other.target}.part`);
  await other.download();
  expect(await readFile(neighbour, "utf8")).toBe("precious");
});

it("says which file cannot be written", async () => {
  const { target, download } = await scene(whole);
  await expect(download({ target: join(dirname(target), "no", "folder", "file") })).rejects.toMatchObject({
    fault: "file",
    message: expect.stringContaining("/no/folder/file.part") as string,
  });
  await mkdir(`${target}.part`);
  await expect(download()).rejects.toMatchObject({ fault: "file" });
});

it("takes a file of which nothing is known beforehand for what comes", async () => {
  const { target, download } = await scene(whole);
  expect(await download({ digest: undefined, size: undefined })).toEqual({
    outcome: "fetched",
    size: BYTES.length,
    digest: DIGEST,
  });
  expect(await arrived(target)).toBe(true);
});

it("fetches an empty file", async () => {
  const empty = Buffer.alloc(0);
  const { target, download } = await scene((request, response) => sendFile(request, response, { bytes: empty }));
  await download({ digest: digestOf(empty), size: 0 });
  expect(await arrived(target, empty)).toBe(true);
});
