import {
  isNamespace,
  UPLOAD_DRAFT_INTEROP_VERSION,
  type AccessReport,
  type AccessRequest,
  type Capabilities,
  type CollectRequest,
  type NamespaceUsage,
  type StorageStatus,
} from "@kindling/staging-client";
import type { FastifyInstance } from "fastify";
import type { ServerContext } from "../../context.ts";
import { identify, requireAdministrator } from "../../http/identity.ts";
import { ProblemError } from "../../problem-error.ts";
import { accessRequestSchema, collectRequestSchema } from "../schemas.ts";

/** What one asks a server about itself, and what an administrator tells it to do. */
export function adminRoutes(app: FastifyInstance, context: ServerContext): void {
  const { config, authenticator, blobs } = context;

  app.get("/capabilities", () => {
    const answer: Capabilities = {
      versions: ["v0", "v1"],
      digestAlgorithms: ["sha256"],
      uploadDraftInteropVersion: UPLOAD_DRAFT_INTEROP_VERSION,
      authentication: authenticator.mode,
      redirects: blobs.store.presign !== undefined && config["store.s3.redirect"],
      limits: {
        maxFileBytes: config["limits.fileBytes"],
        maxBundleFiles: config["limits.bundleFiles"],
        maxDigestsPerRequest: 4096,
        maxUploadsPerClient: config["limits.uploadsPerClient"],
        oneShotBytes: config["limits.oneShotBytes"],
      },
    };
    return answer;
  });

  app.post<{ Body: AccessRequest }>("/access", { schema: { body: accessRequestSchema } }, async (request) => {
    const { namespace } = request.body;
    if (!isNamespace(namespace)) throw new ProblemError("invalid-request", "namespace is not the name of a namespace");
    const identity = await identify(context, request);
    const decision = await identity.mayUpload(namespace);
    const answer: AccessReport = {
      subject: identity.subject,
      allowed: decision.allowed,
      ...(!decision.allowed && { reason: decision.reason }),
    };
    return answer;
  });

  app.get("/stat", async (request) => {
    const identity = await identify(context, request);
    const administrator = await identity.mayAdminister();
    await context.index.refresh();
    const namespaces: NamespaceUsage[] = [];
    for (const [namespace, { bundles, bytes }] of context.index.namespaces()) {
      if (!administrator && !(await identity.mayUpload(namespace)).allowed) continue;
      const quotaBytes = context.quotaOf(namespace);
      namespaces.push({ namespace, bundles, bytes, ...(quotaBytes !== undefined && { quotaBytes }) });
    }
    const freeBytes = await blobs.store.freeBytes();
    const stock = await context.takeStock();
    const answer: StorageStatus = {
      store: blobs.store.kind,
      ...(freeBytes !== undefined && { freeBytes }),
      ...stock,
      openUploads: (await context.sessions.ids()).size,
      reservedBytes: context.capacity.reservedBytes(),
      namespaces,
    };
    return answer;
  });

  app.post<{ Body: CollectRequest }>("/gc", { schema: { body: collectRequestSchema } }, async (request) => {
    await requireAdministrator(context, request);
    if (!context.election.inCharge()) {
      throw new ProblemError("conflict", "another server is the one that deletes; ask again to reach it", {
        retryAfterSeconds: 1,
      });
    }
    const report = await context.cleaner.collect(request.body.dryRun === true);
    request.log.info({ report }, "collection on request");
    return report;
  });
}
