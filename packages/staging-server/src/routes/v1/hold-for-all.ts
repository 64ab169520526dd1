import type { Digest } from "@kindling/staging-client";
import type { UploadRecord } from "../../metadata/uploads.ts";
import type { ServerContext } from "../server-context.ts";

type LeaseContext = Pick<ServerContext, "leases">;

/** Every client that has asked for an upload may commit the resulting blob. */
export async function holdForAll({ leases }: LeaseContext, { leases: askers, digest }: UploadRecord): Promise<void> {
  await forAnyOf(askers, (lease) => leases.hold(lease, [digest]));
}

/** Protects the blob that an upload is about to become from deletion. */
export async function pinForAll({ leases }: LeaseContext, askers: readonly string[], digest: Digest): Promise<void> {
  await forAnyOf(askers, (lease) => leases.pin(lease, [digest]));
}

/** If one lease may have no more, the others are not refused. Only if all of them fail, this fails. */
async function forAnyOf(leases: readonly string[], action: (lease: string) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(leases.map(action));
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined && results.every(({ status }) => status === "rejected")) throw failure.reason;
}
