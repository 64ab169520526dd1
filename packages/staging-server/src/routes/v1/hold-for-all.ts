import type { Digest } from "@kindling/staging-client";
import type { UploadRecord } from "../../metadata/uploads.ts";
import type { ServerContext } from "../server-context.ts";

type LeaseContext = Pick<ServerContext, "leases">;

/** Everybody who has asked for an upload may commit what came of it. */
export async function holdForAll({ leases }: LeaseContext, { leases: askers, digest }: UploadRecord): Promise<void> {
  await forAnyOf(askers, (lease) => leases.hold(lease, [digest]));
}

/** Nobody deletes what is about to come of an upload. */
export async function pinForAll({ leases }: LeaseContext, askers: readonly string[], digest: Digest): Promise<void> {
  await forAnyOf(askers, (lease) => leases.pin(lease, [digest]));
}

/** A lease that may have no more is no reason to refuse the others; if that is so of all of them, it is. */
async function forAnyOf(leases: readonly string[], action: (lease: string) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(leases.map(action));
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined && results.every(({ status }) => status === "rejected")) throw failure.reason;
}
