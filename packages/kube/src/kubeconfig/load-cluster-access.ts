import type { ClusterAccess } from "./cluster-access.ts";
import type { LoadOptions } from "./load-options.ts";

export async function loadClusterAccess(options: LoadOptions = {}): Promise<ClusterAccess> {
  throw new Error(`not there yet ${typeof options}`);
}
