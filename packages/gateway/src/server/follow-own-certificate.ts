import type { ApiServer } from "@kindling/api-server";
import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { followCertificate, type Log, type ServerCertificate, type WatchedFiles } from "@kindling/service";
import type { GatewayConfig } from "../config/gateway-keys.ts";

export interface OwnCertificateOptions {
  readonly server: Pick<ApiServer, "renewCertificate">;
  /** As it was read at the start; undefined where drivers are served without TLS. */
  readonly tls: ServerCertificate | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const NO_FILES = { "tls.certFile": undefined, "tls.keyFile": undefined };

/** Reads the gateway's own certificate again when its files change. Open connections stay. */
export async function followOwnCertificate(
  config: GatewayConfig,
  { server, tls, clock, log }: OwnCertificateOptions,
): Promise<WatchedFiles> {
  return await followCertificate(tls === undefined ? NO_FILES : config, {
    clock,
    intervalSeconds: config["tls.reloadInterval"],
    onRenewed(renewed) {
      if (renewed !== undefined) server.renewCertificate(renewed);
      log.info("certificate read again");
    },
    onFault: (error) => log.error("changed files cannot be used", { error: messageOf(error) }),
  });
}
