import type { Authenticator } from "../auth/authenticator.ts";
import type { Blobs } from "../blobs/blobs.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { TransferGates } from "../http/transfer-gates.ts";

/** What is needed to send files to a client. */
export interface DownloadContext {
  readonly blobs: Blobs;
  readonly gates: Pick<TransferGates, "download">;
  readonly authenticator: Pick<Authenticator, "mode">;
  readonly metrics: Pick<Metrics, "transfers" | "sentBytes">;
}
