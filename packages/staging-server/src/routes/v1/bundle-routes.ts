import type { BundleFile, BundleList, BundleManifest, BundleRequest, OwnerBinding } from "@kindling/staging-client";
import type { FastifyInstance } from "fastify";
import type { Identity } from "../../auth/authenticator.ts";
import { ProblemError } from "../../errors/problem-error.ts";
import { bundleByRight } from "../../http/authenticate.ts";
import { bundleOf, identityOf } from "../../http/caller.ts";
import { requireUploadBy } from "../../auth/rights.ts";
import { commitBundle } from "../../ingest/commit-bundle.ts";
import type { BundleRecord } from "../../metadata/bundle-record.ts";
import { bundleQuerySchema, bundleRequestSchema, ownerBindingSchema } from "../schemas.ts";
import type { ServerContext } from "../server-context.ts";
import { digestParameter } from "./blob-routes.ts";
import { bundleStatus } from "./bundle-status.ts";
import { leaseOf } from "./lease-of.ts";

interface BundleById {
  Params: { id: string };
}

interface ListQuery {
  Querystring: { namespace?: string; limit?: string; continue?: string };
}

export function bundleRoutes(app: FastifyInstance, context: ServerContext): void {
  const { config, bundles } = context;

  const commit = {
    schema: { body: bundleRequestSchema(config["limits.bundleFiles"]) },
    config: { access: "identity", body: "bundle" },
  } as const;
  app.post<{ Body: BundleRequest }>("/bundles", commit, async (request, reply) => {
    const lease = await leaseOf(context, request, request.body.lease);
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

  app.get<BundleById>("/bundles/:id", { config: { access: "secret" } }, async (request, reply) => {
    const record = bundleOf(request);
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

  const identified = { config: { access: "identity" } } as const;
  const listing = { ...identified, schema: { querystring: bundleQuerySchema } };
  app.get<ListQuery>("/bundles", listing, async (request) => {
    return await listBundles(context, identityOf(request), request.query);
  });

  app.get<BundleById>("/bundles/:id/status", identified, async (request) => {
    return bundleStatus(context, await bundleByRight(context, identityOf(request), request.params.id));
  });

  const bind = {
    schema: { body: ownerBindingSchema },
    config: { access: "secret-or-right", body: "settings" },
  } as const;
  app.patch<BundleById & { Body: OwnerBinding }>("/bundles/:id/owner", bind, async (request, reply) => {
    const record = bundleOf(request);
    const bound = await bundles.records.update(record.id, (now) => ({ ...now, ownerUid: request.body.uid }));
    if (bound !== undefined) context.index.changed(bound.value);
    return await reply.code(204).send();
  });

  app.delete<BundleById>("/bundles/:id", { config: { access: "secret-or-right" } }, async (request, reply) => {
    const record = bundleOf(request);
    await bundles.deleteIf(record.id, () => true);
    context.index.removed(record.id);
    context.metrics.bundlesDeleted.inc({ reason: "requested" });
    request.log.info({ bundle: record.id }, "bundle deleted on request");
    return await reply.code(204).send();
  });
}

const MOST_LISTED = 500;

/** A page of the bundles that the caller may see. */
async function listBundles(
  context: ServerContext,
  identity: Identity,
  { namespace, limit: most = String(MOST_LISTED), continue: after = "" }: ListQuery["Querystring"],
): Promise<BundleList> {
  const limit = Math.min(Number(most), MOST_LISTED);
  if (namespace !== undefined) await requireUploadBy(identity, namespace);
  await context.index.catchUp();
  const maySee = namespace === undefined ? rightsOf(identity) : () => true;
  const listed: BundleRecord[] = [];
  for (const record of context.index.after(after, namespace)) {
    if (record.state === "deleted" || !(await maySee(record.owner.ownerNamespace))) continue;
    listed.push(record);
    if (listed.length > limit) break;
  }
  const page = listed.slice(0, limit);
  const last = page.at(-1);
  return {
    bundles: page.map((record) => bundleStatus(context, record)),
    ...(listed.length > limit && last !== undefined && { continue: last.id }),
  };
}

/** The right to each namespace is checked once, however many bundles it has. */
function rightsOf(identity: Identity): (namespace: string) => Promise<boolean> | boolean {
  const known = new Map<string, boolean>();
  return async (namespace) => {
    const allowed = known.get(namespace) ?? (await identity.mayUpload(namespace)).allowed;
    known.set(namespace, allowed);
    return allowed;
  };
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
