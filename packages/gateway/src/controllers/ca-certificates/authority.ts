import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { type Log, watchFiles } from "@kindling/service";
import type { GatewayConfig } from "../../config/gateway-keys.ts";
import { readCaFile } from "./ca-file.ts";

/** The certificates that drivers must trust. */
export interface Authority {
  /** The current certificates in PEM; undefined if drivers get them from elsewhere. */
  readonly pem: string | undefined;
  close(): void;
}

export interface AuthorityOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Called when they have changed. */
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
        // The certificates that were read last stay published.
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
