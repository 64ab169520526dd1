import { openStaging } from "../stage/open-staging.ts";
import type { OpenedStaging } from "./probe-pod.ts";

/** Whether the submitter may upload for a namespace, and under which name, in one line. */
export interface UploadRight {
  readonly allowed: boolean;
  readonly detail: string;
}

/**
 * Asks a staging server whether it accepts files for a namespace.
 *
 * @throws KindlingError if it cannot be asked
 */
export async function uploadRight(
  { access, credentials }: OpenedStaging,
  namespace: string,
  signal: AbortSignal | undefined,
): Promise<UploadRight> {
  const { client } = await openStaging(access, credentials);
  try {
    const { subject, allowed, reason } = await client.access(namespace, { signal });
    const detail = allowed
      ? `${subject} may upload for namespace ${namespace}`
      : `${subject} may not upload for namespace ${namespace}: ${reason ?? "it is not allowed"}`;
    return { allowed, detail };
  } finally {
    client.close();
  }
}
