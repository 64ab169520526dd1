import type { BundleFile, BundleList, BundleManifest, BundleRequest, OwnerBinding } from "@kindling/staging-client";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { openBundle, secretOf } from "../../bundle-access.ts";
import { bundleStatus } from "../../bundle-status.ts";
import { commitBundle } from "../../commit-bundle.ts";
import type { ServerContext } from "../../context.ts";
import { identify, requireUploadBy } from "../../http/identity.ts";
import type { BundleRecord } from "../../metadata/bundles.ts";
import { ProblemError } from "../../problem-error.ts";
import { bundleRequestSchema, ownerBindingSchema } from "../schemas.ts";
import { digestParameter } from "./blob-routes.ts";
import { leaseOf } from "./lease-of.ts";

interface BundleById {
  Params: { id: string };
}

interface ListQuery {
  Querystring: { namespace?: string; limit?: string; continue?: string };
}

const MOST_LISTED = 500;

export function bundleRoutes(app: FastifyInstance, context: ServerContext): void {
  const { config, bundles } = context;

  const commit = { schema: { body: bundleRequestSchema(config["limits.bundleFiles"]) } };
  app.post<{ Body: BundleRequest }>("/bundles", commit, async (request, reply) => {
    const { lease } = await leaseOf(context, request, request.body.lease);
    const { owner, ttl } = request.body;
    const files = request.body.files.map(({ name, kind, digest, size, mode }): BundleFile => {
      return { name, kind, digest: digestParameter(digest), size, mode };
    });
    const unusedSeconds = Math.min(ttl ?? config["lifecycle.unusedTtl"], config["lifecycle.maxUnusedTtl"]);
    const committed = await commitBundle(context, { wire: "v1", lease, owner, files, unusedSeconds });
    request.log.info(
      { bundle: committed.bundleId, namespace: lease.namespace, files: files.length },
      "bundle committed",
    );
    return await reply.code(201).header("cache-control", "no-store").send(committed);
  });

  app.get<BundleById>("/bundles/:id", async (request, reply) => {
    const record = await bundleBySecret(context, request);
    const manifest = await bundles.manifest(record.id);
    if (manifest === undefined) throw new ProblemError("bundle-gone");
    await context.uses.mark(record);
    const answer: BundleManifest = {
      bundleId: record.id,
      manifestDigest: record.manifestDigest,
      files: await withLinks(context, manifest.files),
    };
    return await reply.header("cache-control", "no-store").send(answer);
  });

  app.get<ListQuery>("/bundles", async (request) => {
    const identity = await identify(context, request);
    const { namespace, continue: after = "" } = request.query;
    const limit = Math.min(Number(request.query.limit ?? MOST_LISTED) || MOST_LISTED, MOST_LISTED);
    if (namespace !== undefined) await requireUploadBy(identity, namespace);
    await context.index.refresh();
    const sorted = [...context.index.all()].map(({ record }) => record).sort((a, b) => (a.id < b.id ? -1 : 1));
    const listed: BundleRecord[] = [];
    for (const record of sorted) {
      if (record.id <= after || record.state === "deleted") continue;
      const owner = record.owner.ownerNamespace;
      if (namespace === undefined ? !(await identity.mayUpload(owner)).allowed : owner !== namespace) continue;
      listed.push(record);
      if (listed.length > limit) break;
    }
    const page = listed.slice(0, limit);
    const last = page.at(-1);
    const answer: BundleList = {
      bundles: page.map((record) => bundleStatus(context, record)),
      ...(listed.length > limit && last !== undefined && { continue: last.id }),
    };
    return answer;
  });

  app.get<BundleById>("/bundles/:id/status", async (request) => {
    const identity = await identify(context, request);
    const record = (await bundles.records.get(request.params.id))?.value;
    // Of a bundle in somebody else's namespace, not even its existence is told.
    if (record === undefined || record.state === "deleted") throw noSuchBundle();
    if (!(await identity.mayUpload(record.owner.ownerNamespace)).allowed) throw noSuchBundle();
    return bundleStatus(context, record);
  });

  const bind = { schema: { body: ownerBindingSchema } };
  app.patch<BundleById & { Body: OwnerBinding }>("/bundles/:id/owner", bind, async (request, reply) => {
    const record = await bundleBySecretOrRight(context, request);
    const bound = await bundles.records.update(record.id, (now) => ({ ...now, ownerUid: request.body.uid }));
    if (bound !== undefined) context.index.changed(bound.value);
    return await reply.code(204).send();
  });

  app.delete<BundleById>("/bundles/:id", async (request, reply) => {
    const record = await bundleBySecretOrRight(context, request);
    await bundles.deleteIf(record.id, () => true);
    context.index.removed(record.id);
    context.metrics.bundlesDeleted.inc({ reason: "requested" });
    request.log.info({ bundle: record.id }, "bundle deleted on request");
    return await reply.code(204).send();
  });
}

function noSuchBundle(): ProblemError {
  return new ProblemError("not-found", "there is no such bundle");
}

/** @throws ProblemError `unauthorized`, the same for a wrong secret and for a bundle that does not exist */
export async function bundleBySecret(
  context: ServerContext,
  request: FastifyRequest<BundleById>,
): Promise<BundleRecord> {
  const opened = await openBundle(context, request.params.id, secretOf(request.headers.authorization));
  if (opened.outcome !== "open") throw new ProblemError("unauthorized");
  return opened.record;
}

/** For whoever has the secret, and for whoever may upload for the bundle's namespace. */
async function bundleBySecretOrRight(
  context: ServerContext,
  request: FastifyRequest<BundleById>,
): Promise<BundleRecord> {
  const opened = await openBundle(context, request.params.id, secretOf(request.headers.authorization));
  if (opened.outcome === "open") return opened.record;
  const identity = await identify(context, request);
  const record = (await context.bundles.records.get(request.params.id))?.value;
  if (record === undefined || record.state === "deleted") throw noSuchBundle();
  if (!(await identity.mayUpload(record.owner.ownerNamespace)).allowed) throw noSuchBundle();
  return record;
}

async function withLinks(
  { blobs, config }: ServerContext,
  files: readonly BundleFile[],
): Promise<BundleManifest["files"]> {
  const { store } = blobs;
  if (store.presign === undefined || !config["store.s3.redirect"]) return files;
  return await Promise.all(
    files.map(async (file) => {
      const href = await store.presign?.(file.digest, { expiresIn: config["store.s3.redirectExpiry"] });
      return href === undefined ? file : { ...file, href };
    }),
  );
}
