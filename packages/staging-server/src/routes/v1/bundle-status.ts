import type { BundleStatus } from "@kindling/staging-client";
import { expiresIn } from "../../lifecycle/decide.ts";
import type { BundleRecord } from "../../metadata/bundle-record.ts";
import type { ServerContext } from "../server-context.ts";

/** A bundle as it is shown to callers who may upload for its namespace. */
export function bundleStatus(context: ServerContext, record: BundleRecord): BundleStatus {
  const { serviceClock, owners, policy } = context;
  const state = record.state === "deleted" ? "orphan" : record.state;
  const ownerState = owners.state(record.owner, record.ownerUid);
  const now = serviceClock.seconds();
  const remaining = expiresIn({ ...record, state }, ownerState, now, policy);
  return {
    bundleId: record.id,
    namespace: record.owner.ownerNamespace,
    state,
    stateSeconds: Math.max(0, Math.floor(now - record.since)),
    owner: record.owner,
    ...(record.ownerUid !== undefined && { ownerUid: record.ownerUid }),
    ownerState,
    files: record.files,
    bytes: record.bytes,
    createdAt: record.createdTime,
    createdBy: record.createdBy,
    ...(remaining !== undefined && { expiresIn: remaining }),
  };
}
