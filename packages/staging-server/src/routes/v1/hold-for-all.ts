import type { ServerContext } from "../../context.ts";
import type { UploadRecord } from "../../metadata/uploads.ts";

/** Everybody who has asked for an upload may commit what came of it. */
export async function holdForAll(
  { leases }: Pick<ServerContext, "leases">,
  { leases: askers, digest }: UploadRecord,
): Promise<void> {
  await Promise.all(askers.map((lease) => leases.hold(lease, [digest])));
}
