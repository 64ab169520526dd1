import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { type Log, watchFiles } from "@kindling/service";
import type { GatewayConfig } from "../../config/gateway-keys.ts";
import { readCaFile } from "./ca-file.ts";

/** The certificates that drivers are to trust. */
export interface Authority {
  /** In PEM, as they are now; undefined where drivers have them from elsewhere. */
  readonly pem: string | undefined;
  close(): void;
}

export interface AuthorityOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Called when there are others. */
  readonly onChange: () => void;
}

/**
 * Reads the certificates of `tls.caFile`, and again when the file changes.
 *
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`
 */
export async function followAuthority(config: GatewayConfig, options: AuthorityOptions): Promise<Authority> {
  const { clock, log, onChange } = options;
  const path = config["tls.caFile"];
  if (path === undefined) return { pem: undefined, close: () => undefined };
  let pem = await readCaFile(path);
  const watched = await watchFiles([path], {
    clock,
    intervalSeconds: config["tls.reloadInterval"],
    async onChange() {
      try {
        pem = await readCaFile(path);
        log.info("the certificates for drivers were read again");
        onChange();
      } catch (error) {
        // What was read last goes on being published.
        log.error("changed certificates for drivers cannot be used", { error: messageOf(error) });
      }
    },
  });
  return {
    get pem() {
      return pem;
    },
    close: () => watched.close(),
  };
}
