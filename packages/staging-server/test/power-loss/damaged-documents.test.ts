import { access, chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { someRounds } from "@kindling/test-kit/rounds";
import { blobPath, collect, damagedFiles, damageLogged, documentPath, metric } from "../support/data-folder.ts";
import { putBlob, sample, stage, type Sample, type StagedBundle } from "../support/stage.ts";
import { jsonCall, openLease, testServer, type TestServer } from "../support/test-server.ts";

const SETTINGS = { "lifecycle.blobGrace": 0, "lifecycle.unusedTtl": 3600 };

async function isServed(server: TestServer, { bundleId, headers, files }: StagedBundle): Promise<boolean> {
  for (const [name, { bytes }] of Object.entries(files)) {
    const answer = await server.call(`api/v1/bundles/${bundleId}/files/${name}`, { headers });
    if (answer.status !== 200 || !answer.body.equals(bytes)) return false;
  }
  return true;
}

/** A file without references that the last collection has found. */
async function leftBehind(server: TestServer): Promise<Sample> {
  const [lease, one] = [await openLease(server), sample(500)];
  await putBlob(server, lease, one);
  await server.call(`api/v1/leases/${lease}`, { method: "DELETE" });
  await server.call("api/v1/gc", jsonCall({}));
  return one;
}

/** The document that says since when a file has had no reference. */
function condemnedList({ digest }: Sample): string {
  return `state/condemned-${digest.slice("sha256:".length).slice(0, 2)}`;
}

/** Stops the server, changes the data folder, and starts the server again. */
async function restartAfter(server: TestServer, change: () => Promise<unknown>): Promise<TestServer> {
  await server.stop();
  await change();
  return await testServer({ ...SETTINGS, "store.path": server.config["store.path"] });
}

function flippedAt(bytes: Buffer, at: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
}

const DAMAGES: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  empty: () => Buffer.alloc(0),
  halved: (bytes) => bytes.subarray(0, bytes.length / 2),
  zeroed: (bytes) => Buffer.alloc(bytes.length),
  flipped: (bytes) => {
    // This is inside a value, so the text is still JSON.
    const at = bytes.lastIndexOf("createdBy") + 13;
    return flippedAt(bytes, at < 13 ? bytes.length - 4 : at);
  },
  "of something else": () => Buffer.from('{"valid":"json"}'),
};

const DOCUMENTS: Readonly<Record<string, (lost: StagedBundle, lease: string, left: Sample) => string>> = {
  "a bundle's record": ({ bundleId }) => `bundles/${bundleId}`,
  "a manifest": ({ bundleId }) => `manifests/${bundleId}`,
  "a lease": (_lost, lease) => `leases/${lease}`,
  "the clock": () => "state/service-clock",
  "a list of condemned files": (_lost, _lease, left) => condemnedList(left),
};

const CASES = Object.keys(DOCUMENTS).flatMap((document) =>
  Object.keys(DAMAGES).map((damage): [string, string] => [document, damage]),
);

it.each(someRounds("damaged documents", CASES, 1 / 3))(
  "goes on without %s that is %s, and says so",
  async (document, damage) => {
    const first = await testServer({ ...SETTINGS, "lifecycle.blobGrace": 3600 });
    const [lost, kept] = [await stage(first, { a: 1000 }), await stage(first, { a: 2000 })];
    const lease = await openLease(first);
    await collect(first);
    const name = DOCUMENTS[document]?.(lost, lease, await leftBehind(first)) ?? "";
    const server = await restartAfter(first, async () => {
      const path = documentPath(first, name);
      await writeFile(path, DAMAGES[damage]?.(await readFile(path)) ?? "");
    });
    // The shape of a document is checked only when it is read.
    await collect(server);
    await server.call(`api/v1/bundles/${lost.bundleId}`, { headers: lost.headers });
    expect(damageLogged(server)).toEqual([name]);
    expect(await metric(server, "staging_damaged_documents_total")).toBe(1);
    expect(await damagedFiles(server)).toEqual(
      damage === "empty" ? [] : [`documents-${name.split("/")[0]}/${name.split("/")[1]}`],
    );
    expect(await isServed(server, kept)).toBe(true);
    expect(await isServed(server, await stage(server, { b: 3000 }))).toBe(true);
    expect(await metric(server, "staging_bundles")).toBe(document === "a bundle's record" ? 2 : 3);
    await collect(server);

    // The damage is reported once.
    const again = await server.restart();
    expect(damageLogged(again)).toEqual([]);
  },
);

it.each(["bundles", "manifests"])(
  "keeps the files of a bundle whose document in %s is damaged for as long as that lies aside",
  async (collection) => {
    const first = await testServer(SETTINGS);
    const bundle = await stage(first, { a: 1000, b: 2000 });
    const whole = await readFile(documentPath(first, `${collection}/${bundle.bundleId}`));
    const server = await restartAfter(first, async () => {
      const path = documentPath(first, `${collection}/${bundle.bundleId}`);
      await writeFile(path, flippedAt(whole, whole.length - 3));
    });
    await collect(server);
    await collect(server);
    const blobs = Object.values(bundle.files).map(({ digest }) => blobPath(server, digest));
    for (const path of blobs) await expect(access(path)).resolves.toBeUndefined();

    // An administrator repairs the document, as plain JSON, and puts it back.
    const mended = await restartAfter(server, async () => {
      await writeFile(
        documentPath(server, `${collection}/${bundle.bundleId}`),
        whole.subarray(whole.indexOf("\n") + 1),
      );
    });
    expect(await isServed(mended, bundle)).toBe(true);

    // Or the administrator deletes it.
    const given = await restartAfter(mended, async () => {
      const folder = dirname(documentPath(mended, "x/x"));
      await rm(join(dirname(dirname(folder)), "damaged", `documents-${collection}`), { recursive: true });
      await rm(documentPath(mended, `bundles/${bundle.bundleId}`));
    });
    await collect(given);
    await collect(given);
    for (const path of blobs) await expect(access(path)).rejects.toMatchObject({ code: "ENOENT" });
  },
);

it("reads a folder of an older version, and no older version reads what it has written there", async () => {
  const first = await testServer(SETTINGS);
  const bundle = await stage(first, { a: 1000 });
  const root = first.config["store.path"];
  const server = await restartAfter(first, async () => {
    await writeFile(join(root, "format.json"), '{"kind":"kindling-staging","version":1}\n');
    for (const collection of ["bundles", "manifests"]) {
      const path = documentPath(first, `${collection}/${bundle.bundleId}`);
      const text = await readFile(path, "utf8");
      await writeFile(path, text.slice(text.indexOf("\n") + 1));
    }
  });
  expect(damageLogged(server)).toEqual([]);
  expect(await isServed(server, bundle)).toBe(true);
  expect(JSON.parse(await readFile(join(root, "format.json"), "utf8"))).toMatchObject({ version: 2 });
});

it.each(["", "{"])("starts on a folder whose format.json holds %j, and says so", async (text) => {
  const first = await testServer(SETTINGS);
  const bundle = await stage(first, { a: 1000 });
  const path = join(first.config["store.path"], "format.json");
  const server = await restartAfter(first, () => writeFile(path, text));
  expect(damageLogged(server)).toEqual(["format.json"]);
  expect(await isServed(server, bundle)).toBe(true);
});

it.each(["null", '{"kind":"kindling-staging","version":3}', '{"kind":"of somebody else"}'])(
  "does not start on a folder whose format.json holds %j",
  async (text) => {
    const first = await testServer(SETTINGS);
    const path = join(first.config["store.path"], "format.json");
    await expect(restartAfter(first, () => writeFile(path, text))).rejects.toMatchObject({ code: "CONF_INVALID" });
    expect(await readFile(path, "utf8")).toBe(text);
  },
);

it("finishes deletions that a server began and did not come to end", async () => {
  const first = await testServer(SETTINGS);
  const bundle = await stage(first, { a: 1000 });
  const record = documentPath(first, `bundles/${bundle.bundleId}`);
  const server = await restartAfter(first, async () => {
    const text = await readFile(record, "utf8");
    await writeFile(record, text.slice(text.indexOf("\n") + 1).replace('"state":"unused"', '"state":"deleted"'));
  });
  await collect(server);
  expect(await readdir(join(server.config["store.path"], "meta", "bundles"))).toEqual([]);
  expect(await readdir(join(server.config["store.path"], "meta", "manifests"))).toEqual([]);
});

it("is not bothered by files that are somebody else's, or stand in its way", async () => {
  const first = await testServer({ ...SETTINGS, "lifecycle.blobGrace": 3600 });
  const bundle = await stage(first, { a: 1000 });
  const left = await leftBehind(first);
  const root = first.config["store.path"];
  const server = await restartAfter(first, async () => {
    for (const folder of ["", "blobs", "ingest", "meta", "meta/bundles"]) {
      await mkdir(join(root, folder, "lost+found"));
      await writeFile(join(root, folder, ".nfs000000000001"), "x");
      await writeFile(join(root, folder, "notes.json~"), "x");
      await writeFile(join(root, folder, "a name.json"), "x");
    }
    await chmod(join(root, "meta", "lost+found"), 0);
    await mkdir(join(root, "blobs", "00"), { recursive: true });
    await mkdir(join(root, "blobs", "00", "1".repeat(62)));
    await writeFile(join(root, "blobs", "00", "short"), "x");
    await mkdir(join(root, "meta", "bundles", "a-folder.json"));
    // A folder in the place of a document, and files in the places of folders.
    await rm(join(root, "meta", "state"), { recursive: true, force: true });
    await mkdir(join(root, "meta", `${condemnedList(left)}.json`, "inside"), { recursive: true });
    await rename(join(root, "meta", "leases"), join(root, "meta", "x")).catch(() => undefined);
    await rm(join(root, "meta", "x"), { recursive: true, force: true });
    await writeFile(join(root, "meta", "leases"), "x");
    for (let index = 0; index < 256; index++) {
      await writeFile(join(root, "blobs", index.toString(16).padStart(2, "0")), "x", { flag: "wx" }).catch(() => 0);
    }
  });
  await collect(server);
  expect(await isServed(server, bundle)).toBe(true);
  expect(await isServed(server, await stage(server, { b: 2000 }))).toBe(true);
  await collect(server);
  expect(await metric(server, "staging_bundles")).toBe(2);
});
