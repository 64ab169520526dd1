import type { Server as TlsServer } from "node:tls";
import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { followCertificate, type Log, type WatchedFiles } from "@kindling/service";
import type { FastifyInstance } from "fastify";
import type { ServeConfig } from "../config/serve-keys.ts";
import { tlsOptions } from "../http/app.ts";

export interface FollowFilesOptions {
  readonly app: FastifyInstance;
  readonly clock: Clock;
  readonly log: Log;
  /** Reads the access file again. */
  readonly reloadAccess: () => Promise<void>;
}

/** Reads certificates and the access file again when they change. Open connections stay. */
export async function followFiles(
  config: ServeConfig,
  { app, clock, log, reloadAccess }: FollowFilesOptions,
): Promise<WatchedFiles> {
  return await followCertificate(config, {
    clock,
    intervalSeconds: config["tls.reloadInterval"],
    access: { file: config["auth.accessFile"], reload: reloadAccess },
    onRenewed(renewed) {
      if (renewed !== undefined) (app.server as unknown as TlsServer).setSecureContext(tlsOptions(renewed));
      log.info("certificates and access file read again");
    },
    onFault: (error) => log.error("changed files cannot be used", { error: messageOf(error) }),
  });
}
