import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { someRounds } from "@kindling/test-kit/rounds";
import { collect, damageLogged, documentPath, metric } from "../support/data-folder.ts";
import { stage, type StagedBundle } from "../support/stage.ts";
import { openLease, testServer, type TestServer } from "../support/test-server.ts";

const SETTINGS = { "lifecycle.blobGrace": 0, "lifecycle.unusedTtl": 3600 };

const LARGE = "a file of many gigabytes";

/** Things that may have the name of a file on a damaged disk: none of them can be read to an end. */
const UNFIT: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  "a pipe": async (path) => execFileSync("mkfifo", [path]),
  "a link to itself": (path) => symlink(path, path),
  "a link that leads nowhere": (path) => symlink("/nowhere/at/all", path),
  "a link to a device": (path) => symlink("/dev/zero", path),
  "a socket": async (path) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    // A close now would remove it.
    onTestFinished(() => void server.close());
  },
  [LARGE]: async (path) => {
    await writeFile(path, "x");
    await truncate(path, 5e9);
  },
  "a directory": (path) => mkdir(path),
};

const NAMES = ["a bundle's record", "a manifest", "a lease", "the clock"] as const;

function nameOf(which: (typeof NAMES)[number], { bundleId }: StagedBundle, lease: string): string {
  switch (which) {
    case "a bundle's record":
      return `bundles/${bundleId}`;
    case "a manifest":
      return `manifests/${bundleId}`;
    case "a lease":
      return `leases/${lease}`;
    case "the clock":
      return "state/service-clock";
  }
}

async function isServed(server: TestServer, { bundleId, headers, files }: StagedBundle): Promise<boolean> {
  for (const [name, { bytes }] of Object.entries(files)) {
    const answer = await server.call(`api/v1/bundles/${bundleId}/files/${name}`, { headers });
    if (answer.status !== 200 || !answer.body.equals(bytes)) return false;
  }
  return true;
}

async function replace(path: string, unfit: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await UNFIT[unfit]?.(path);
}

/** Stops the server, puts something in the place of a file, and starts the server again. */
async function restartWith(server: TestServer, path: string, unfit: string): Promise<TestServer> {
  await server.stop();
  await replace(path, unfit);
  return await testServer({ ...SETTINGS, "store.path": server.config["store.path"] });
}

const CASES = NAMES.flatMap((which) => Object.keys(UNFIT).map((unfit) => [which, unfit] as const));

it.each(someRounds("unfit files", CASES, 1 / 3))(
  "starts where %s is %s, and goes on without it",
  async (which, unfit) => {
    const first = await testServer(SETTINGS);
    const [lost, kept] = [await stage(first, { a: 1000 }), await stage(first, { a: 2000 })];
    const name = nameOf(which, lost, await openLease(first));
    const server = await restartWith(first, documentPath(first, name), unfit);
    await collect(server);
    await server.call(`api/v1/bundles/${lost.bundleId}`, { headers: lost.headers });
    expect(damageLogged(server)).toEqual([name]);
    expect(await metric(server, "staging_damaged_documents_total")).toBe(1);
    expect(await isServed(server, kept)).toBe(true);
    expect(await isServed(server, await stage(server, { b: 3000 }))).toBe(true);
    // Every collection reads the damaged files that were set aside.
    expect(damageLogged(await server.restart())).toEqual([]);
  },
);

it.each(Object.keys(UNFIT))("starts where format.json is %s", async (unfit) => {
  const first = await testServer(SETTINGS);
  const bundle = await stage(first, { a: 1000 });
  const server = await restartWith(first, join(first.config["store.path"], "format.json"), unfit);
  expect(damageLogged(server)).toEqual(["format.json"]);
  expect(await isServed(server, bundle)).toBe(true);
});

it.each(["ingest", "meta/.tmp", "meta/leases"])("goes on where the folder %s is none", async (folder) => {
  for (const unfit of Object.keys(UNFIT).filter((unfit) => unfit !== "a directory")) {
    const first = await testServer(SETTINGS);
    const bundle = await stage(first, { a: 1000 });
    const server = await restartWith(first, join(first.config["store.path"], folder), unfit);
    expect(await isServed(server, bundle)).toBe(true);
    expect(await isServed(server, await stage(server, { b: 3000 }))).toBe(true);
    expect(damageLogged(server)).toEqual([folder.replace("meta/leases", "leases")]);
  }
});

it("takes the place of a lock that is a pipe, a link that leads nowhere, or a link to a device", async () => {
  // Each lock is watched for as long as a server may be silent, so all cases run at once.
  const takesPlaceOf = async (unfit: string): Promise<void> => {
    const first = await testServer(SETTINGS);
    const bundle = await stage(first, { a: 1000 });
    const server = await restartWith(first, join(first.config["store.path"], "lock"), unfit);
    expect(await isServed(server, bundle), unfit).toBe(true);
  };
  await Promise.all(["a pipe", "a link that leads nowhere", "a link to a device"].map(takesPlaceOf));
}, 60_000);

it.each(Object.keys(UNFIT).filter((unfit) => unfit !== LARGE))(
  "begins an upload anew of which the bytes have become %s",
  async (unfit) => {
    const server = await testServer(SETTINGS);
    const lease = await openLease(server);
    const create = {
      method: "POST",
      headers: { "upload-length": "5", "upload-complete": "?0", "repr-digest": `sha-256=:${HELLO}:` },
    };
    const path = `api/v1/uploads?lease=${lease}`;
    const append = (location: string, offset: number, body: string) => ({
      location,
      call: {
        method: "PATCH",
        headers: {
          "content-type": "application/partial-upload",
          "upload-offset": String(offset),
          "upload-complete": offset + body.length === 5 ? "?1" : "?0",
        },
        body,
      },
    });
    const location = String((await server.call(path, create)).headers["location"]);
    const { call } = append(location, 0, "hel");
    expect((await server.call(location, call)).status).toBe(204);
    const folder = join(server.config["store.path"], "ingest");
    const [file = ""] = await readdir(folder);
    await replace(join(folder, file), unfit);
    expect((await server.call(location, append(location, 3, "lo").call)).status).toBe(410);
    const anew = String((await server.call(path, create)).headers["location"]);
    expect((await server.call(anew, append(anew, 0, "hello").call)).status).toBe(201);
  },
);

const HELLO = "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=";
