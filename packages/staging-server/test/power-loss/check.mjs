// Checks a server that starts on a disk after a loss of power.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectStaging, digestOf, uploadBundle } from "@kindling/staging-client";
import { startServer } from "./server.mjs";

const OWNER = { ownerNamespace: "default", ownerLabels: { "spark-app-selector": "spark-2" }, ownerType: "Pod" };

/** @returns figures for the table, and in `faults` all violations */
export async function checkServer(folder, scratch, { bundles, uploads }, time) {
  const faults = [];
  const begin = performance.now();
  let server;
  try {
    server = await startServer(folder);
  } catch (error) {
    return { faults: [`it does not start: ${error.message}`] };
  }
  const startMs = performance.now() - begin;
  const client = connectStaging({ uri: server.uri });
  const figures = { startMs, kept: 0, gone: 0, served: 0 };
  const check = { server, client, scratch, time, figures, faults };
  try {
    for (const bundle of bundles) await checkBundle(check, bundle);
    await checkCutUpload(check, uploads);
    await checkCollection(check);
    const readiness = await (await fetch(new URL("readyz", server.adminUri))).json();
    if (readiness.status !== "ready") faults.push(`it is ${readiness.status}: ${readiness.reason}`);
  } catch (error) {
    faults.push(`the check failed: ${error.stack}`);
  }
  client.close();
  const code = await server.stop();
  if (code !== 0) faults.push(`it ended with ${code}`);
  const damaged = server.errors.filter(({ msg }) => msg.includes("was set aside"));
  for (const { err, msg } of server.errors.filter((entry) => !damaged.includes(entry))) {
    faults.push(`it has logged an error: ${msg}: ${err?.message}`);
  }
  return { ...figures, damaged: damaged.length, faults };
}

async function checkBundle(
  { server, client, time, figures, faults },
  { id, secret, files, committedAt, ephemeral, deleted, bound },
) {
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await fetch(new URL(`api/v1/bundles/${id}`, server.uri), { headers });
  await answer.arrayBuffer();
  const there = answer.status === 200;
  const mayBeGone = ephemeral || (deleted !== undefined && deleted.askedAt <= time);
  if (committedAt <= time && !mayBeGone) {
    figures.kept++;
    if (!there) faults.push(`bundle ${id} was acknowledged and is lost: ${answer.status}`);
  }
  if (deleted?.at !== undefined && deleted.at <= time) {
    figures.gone++;
    if (there) faults.push(`bundle ${id} was acknowledged as deleted and is back`);
  }
  if (!there) return;
  if (bound?.at !== undefined && bound.at <= time) {
    const status = await client.bundleStatus(id);
    if (status.ownerUid !== bound.uid) faults.push(`bundle ${id} was acknowledged as bound and is not`);
  }
  for (const { name, digest } of files) {
    const file = await fetch(new URL(`api/v1/bundles/${id}/files/${name}`, server.uri), { headers });
    const bytes = Buffer.from(await file.arrayBuffer());
    // It may have expired in the meantime: before its secret was compared, or before its file was opened.
    if (ephemeral && (file.status === 401 || file.status === 410)) return;
    figures.served++;
    if (file.status !== 200) faults.push(`file ${name} of bundle ${id}: ${file.status} ${bytes.toString()}`);
    else if (digestOf(bytes) !== digest) faults.push(`file ${name} of bundle ${id} is served with other bytes`);
  }
}

/** Clients whose uploads were cut off retry and finish them. */
async function checkCutUpload(check, uploads) {
  const { client, scratch, time } = check;
  const cut = uploads.findLast(({ startedAt }) => startedAt <= time);
  if (cut === undefined) return;
  const files = cut.files.map(({ name, bytes }, index) => {
    const path = join(scratch, `cut-${index}`);
    writeFileSync(path, bytes);
    return { path, name, kind: "file", bytes };
  });
  const committedAt = time;
  const { bundleId: id, secret, files: named } = await uploadBundle(client, { files, owner: OWNER });
  await checkBundle(check, { id, secret, files: named, committedAt });
  // It is deleted again, and files that only it had are freed.
  await client.deleteBundle(id, { secret });
}

async function checkCollection({ server, client, scratch, faults }) {
  const extra = { path: join(scratch, "extra"), name: "extra", kind: "file" };
  writeFileSync(extra.path, `${process.hrtime.bigint()}`);
  const bundle = await uploadBundle(client, { files: [extra], owner: OWNER });
  const before = await client.storageStatus();
  await client.deleteBundle(bundle.bundleId, { secret: bundle.secret });
  let freed = 0;
  for (let round = 0; round < 20 && freed === 0; round++) {
    const report = await client.collect();
    if (report.blobsDeleted > 0) freed += report.blobsDeleted;
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const after = await client.storageStatus();
  if (after.blobs >= before.blobs) faults.push("a collection frees nothing");
  const metrics = await (await fetch(new URL("metrics", server.adminUri))).text();
  const [failed] = /^staging_collection_errors_total\{.*$/m.exec(metrics) ?? [];
  if (failed !== undefined) faults.push(`a collection failed: ${failed}`);
}
