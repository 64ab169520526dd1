import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectStaging, digestOf, downloadFile, httpSource, type DownloadOptions } from "../../src/index.ts";
import { fileServer, sendFile, type ServedFile } from "../support/file-server.ts";

const OLD = randomBytes(300_000);
const NEW = randomBytes(300_000);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "kindling-download-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** One download that gives up at the first failure, like a killed process. */
async function download(url: URL, target: string, more: Partial<DownloadOptions> = {}): Promise<unknown> {
  const client = connectStaging({ uri: url.origin });
  onTestFinished(() => client.close());
  const source = httpSource({ url, transport: client.connection.transport });
  return await downloadFile({ source, target, retry: { attempts: 1 }, ...more }).catch((error: unknown) => error);
}

test.each([
  ["without a digest", undefined],
  ["with a digest that is not the server's entity tag", digestOf(OLD)],
])("a later process goes on where an earlier one was cut, %s", async (_, digest) => {
  const target = join(folder(), "file");
  let arrived: () => void = () => {};
  const cutWhen = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  let cut: Partial<ServedFile> | undefined = { cutAfter: 100_000, cutWhen };
  const server = await fileServer((request, response) =>
    sendFile(request, response, { bytes: OLD, etag: '"v1"', ...cut }),
  );
  await download(server.url, target, { digest, onBytes: () => arrived() });
  cut = undefined;
  await download(server.url, target, { digest });
  expect(server.requests[1]?.headers).toMatchObject({
    range: expect.stringMatching(/^bytes=[1-9]/),
    "if-range": '"v1"',
  });
  expect(readFileSync(target).equals(OLD)).toBe(true);
  expect(readdirSync(join(target, ".."))).toEqual(["file"]);
});

test.each([
  ["heeds If-Range", false],
  ["does not know If-Range", true],
])("a file that changed in between is fetched anew from a server that %s", async (_, ignoresIfRange) => {
  const target = join(folder(), "file");
  let changed = false;
  const server = await fileServer((request, response) =>
    changed
      ? sendFile(request, response, { bytes: NEW, etag: '"v2"', ignoresIfRange })
      : sendFile(request, response, { bytes: OLD, etag: '"v1"', cutAfter: 100_000 }),
  );
  await download(server.url, target);
  changed = true;
  await download(server.url, target, { retry: { attempts: 2, baseMs: 1 } });
  expect(readFileSync(target).equals(NEW)).toBe(true);
});

test("what an earlier process left of an unknown version is not gone on with", async () => {
  const target = join(folder(), "file");
  let first = true;
  const server = await fileServer((request, response) => {
    sendFile(request, response, { bytes: first ? OLD : NEW, ...(first && { cutAfter: 100_000 }) });
    first = false;
  });
  await download(server.url, target);
  await download(server.url, target);
  expect(server.requests[1]?.headers.range).toBeUndefined();
  expect(readFileSync(target).equals(NEW)).toBe(true);
});

test("a note that is none is passed over", async () => {
  const target = join(folder(), "file");
  writeFileSync(`${target}.part`, "something");
  writeFileSync(`${target}.part.etag`, 'x"\r\nhost: elsewhere');
  const server = await fileServer((request, response) => sendFile(request, response, { bytes: OLD, etag: '"v1"' }));
  await download(server.url, target);
  expect(server.requests[0]?.headers.range).toBeUndefined();
  expect(readFileSync(target).equals(OLD)).toBe(true);
});
