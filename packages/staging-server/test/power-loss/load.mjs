// Clients that use all functions of a server, and remember its answers with their times.
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectStaging, digestOf, formatDigestField, uploadBundle } from "@kindling/staging-client";

const OWNER = { ownerNamespace: "default", ownerLabels: { "spark-app-selector": "spark-1" }, ownerType: "Pod" };
const WORKERS = 4;

/** Microseconds of the clock that all processes of this machine share. */
export const now = () => Number(process.hrtime.bigint() / 1000n);

/**
 * Puts load on a server for some time, also while it is killed and comes back at the same address.
 *
 * @returns every bundle with what was acknowledged of it, and every upload with its beginning and its end; times are
 * those of `now`
 */
export async function putLoad(uri, scratch, { seconds, random }) {
  const end = Date.now() + seconds * 1000;
  const retry = { attempts: 1000, baseMs: 20, capMs: 200 };
  const client = connectStaging({ uri, maxConnections: 16, retry });
  const load = { uri, scratch, random, client, bundles: [], uploads: [], names: 0, shared: [] };
  // Files that many bundles have.
  for (let index = 0; index < 6; index++) load.shared.push(localFile(load, `shared-${index}`, 5_000 * (index + 1)));

  async function worker() {
    while (Date.now() < end) {
      try {
        await doSomething(load);
      } catch (error) {
        // `fetch` has no retries: the server is being killed at this moment.
        if (!(error instanceof TypeError)) throw error;
      }
    }
  }

  await Promise.all(Array.from({ length: WORKERS }, worker));
  client.close();
  const { bundles, uploads } = load;
  return { bundles, uploads };
}

async function doSomething(load) {
  const dice = load.random();
  if (dice < 0.55) await commit(load, dice < 0.08);
  else if (dice < 0.7) await bind(load);
  else if (dice < 0.85) await remove(load);
  else if (dice < 0.95) await pieces(load);
  else await load.client.collect();
}

async function commit(load, ephemeral) {
  const { client, bundles, uploads } = load;
  const files = newFiles(load);
  const upload = { startedAt: now(), endedAt: undefined, files: files.map(({ name, bytes }) => ({ name, bytes })) };
  uploads.push(upload);
  const bundle = await uploadBundle(client, { files, owner: OWNER, ...(ephemeral && { ttl: 1 }) });
  upload.endedAt = now();
  const { bundleId: id, secret } = bundle;
  bundles.push({ id, secret, files: bundle.files, committedAt: now(), ephemeral });
  for (const { path, name } of files) if (!name.startsWith("shared")) rmSync(path);
}

function newFiles(load) {
  const { random, shared } = load;
  const files = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) =>
    localFile(load, `f${index}`, Math.floor(100 + random() ** 3 * 60_000)),
  );
  if (random() < 0.3) files.push(localFile(load, "large", Math.floor(150_000 + random() * 1_500_000)));
  if (random() < 0.4) files.push(pick(load, shared));
  return files;
}

function localFile(load, name, size) {
  const bytes = randomBytes(size);
  const path = join(load.scratch, `f${load.names++}`);
  writeFileSync(path, bytes);
  return { path, name, kind: "file", bytes };
}

async function bind(load) {
  const { client, bundles } = load;
  const bundle = pick(
    load,
    bundles.filter(({ bound, deleted }) => bound === undefined && deleted === undefined),
  );
  if (bundle === undefined || bundle.ephemeral) return;
  bundle.bound = { askedAt: now(), uid: `pod-${bundle.id}` };
  await client.bindOwner(bundle.id, bundle.bound.uid, { secret: bundle.secret });
  bundle.bound.at = now();
}

async function remove(load) {
  const { client, bundles } = load;
  const bundle = pick(
    load,
    bundles.filter(({ deleted }) => deleted === undefined),
  );
  if (bundle === undefined || bundle.ephemeral) return;
  bundle.deleted = { askedAt: now() };
  // A killed server may have deleted it before it could answer; then it cannot be deleted again.
  await client.deleteBundle(bundle.id, { secret: bundle.secret }).catch((error) => {
    if (error.status !== 404) throw error;
  });
  bundle.deleted.at = now();
}

/** A file in several pieces, some of which are never finished. */
async function pieces({ uri, client, random }) {
  const bytes = randomBytes(Math.floor(200_000 + random() * 800_000));
  const { leaseId } = await client.openLease({ namespace: "default" });
  const created = await fetch(new URL(`api/v1/uploads?lease=${leaseId}`, uri), {
    method: "POST",
    headers: {
      "upload-complete": "?0",
      "upload-length": String(bytes.length),
      "repr-digest": formatDigestField(digestOf(bytes)),
    },
  });
  const location = created.headers.get("location");
  if (location === null) return;
  const fate = random();
  for (let offset = 0; offset < bytes.length;) {
    const to = Math.min(bytes.length, offset + Math.floor(50_000 + random() * 200_000));
    const answer = await fetch(new URL(location, uri), {
      method: "PATCH",
      headers: {
        "content-type": "application/partial-upload",
        "upload-offset": String(offset),
        "upload-complete": to === bytes.length ? "?1" : "?0",
      },
      body: bytes.subarray(offset, to),
    });
    if (!answer.ok || (fate < 0.3 && random() < 0.5)) return;
    if (fate < 0.6 && random() < 0.3) return void (await fetch(new URL(location, uri), { method: "DELETE" }));
    offset = to;
  }
}

function pick({ random }, list) {
  return list[Math.floor(random() * list.length)];
}
