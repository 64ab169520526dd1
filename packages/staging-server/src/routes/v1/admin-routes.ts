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
import { ProblemError } from "../../errors/problem-error.ts";
import { identityOf } from "../../http/caller.ts";
import { MOST_DIGESTS } from "../../http/documents/document-kinds.ts";
import { requireAdministrator } from "../../auth/rights.ts";
import { accessRequestSchema, collectRequestSchema } from "../schemas.ts";
import type { ServerContext } from "../server-context.ts";

/** Questions to a server about itself, and commands of an administrator. */
export function adminRoutes(app: FastifyInstance, context: ServerContext): void {
  const { config, authenticator, blobs } = context;

  app.get("/capabilities", { config: { access: "anybody" } }, () => {
    const answer: Capabilities = {
      versions: ["v0", "v1"],
      digestAlgorithms: ["sha256"],
      uploadDraftInteropVersion: UPLOAD_DRAFT_INTEROP_VERSION,
      authentication: authenticator.mode,
      redirects: blobs.store.presign !== undefined && config["store.s3.redirect"],
      limits: {
        maxFileBytes: config["limits.fileBytes"],
        maxBundleFiles: config["limits.bundleFiles"],
        maxDigestsPerRequest: MOST_DIGESTS,
        maxUploadsPerClient: config["limits.uploadsPerClient"],
        oneShotBytes: config["limits.oneShotBytes"],
      },
    };
    return answer;
  });

  const ask = { schema: { body: accessRequestSchema }, config: { access: "identity", body: "settings" } } as const;
  app.post<{ Body: AccessRequest }>("/access", ask, async (request) => {
    const { namespace } = request.body;
    if (!isNamespace(namespace)) throw new ProblemError("invalid-request", "namespace is not the name of a namespace");
    const identity = identityOf(request);
    const decision = await identity.mayUpload(namespace);
    const answer: AccessReport = {
      subject: identity.subject,
      allowed: decision.allowed,
      ...(!decision.allowed && { reason: decision.reason }),
    };
    return answer;
  });

  app.get("/stat", { config: { access: "identity" } }, async (request) => {
    const identity = identityOf(request);
    const administrator = await identity.mayAdminister();
    await context.index.catchUp();
    const namespaces: NamespaceUsage[] = [];
    for (const [namespace, { bundles, bytes }] of context.index.namespaces()) {
      if (!administrator && !(await identity.mayUpload(namespace)).allowed) continue;
      const { leases, uploads, disk } = context.ledger.of(namespace);
      const quotaBytes = context.quotaOf(namespace);
      const quota = quotaBytes === undefined ? {} : { quotaBytes };
      namespaces.push({ namespace, bundles, bytes, storedBytes: disk, leases, openUploads: uploads, ...quota });
    }
    // The totals of all namespaces would reveal to one namespace what the others do.
    const store = administrator ? await wholeStore() : {};
    const answer: StorageStatus = { store: blobs.store.kind, ...store, namespaces };
    return answer;
  });

  async function wholeStore(): Promise<Omit<StorageStatus, "store" | "namespaces">> {
    const freeBytes = await blobs.store.freeBytes();
    return {
      ...(freeBytes !== undefined && { freeBytes }),
      ...(await context.takeStock()),
      openUploads: context.ledger.total.uploads,
      reservedBytes: context.capacity.reservedBytes(),
    };
  }

  const gc = { schema: { body: collectRequestSchema }, config: { access: "identity", body: "settings" } } as const;
  app.post<{ Body: CollectRequest }>("/gc", gc, async (request) => {
    await requireAdministrator(identityOf(request));
    if (!context.election.inCharge()) {
      throw new ProblemError("conflict", "another server is in charge of deletions; try again to reach it", {
        retryAfterSeconds: 1,
      });
    }
    const report = await context.cleaner.collect(request.body.dryRun === true);
    request.log.info({ report }, "collection on request");
    return report;
  });
}
