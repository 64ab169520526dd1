import type { Undo } from "@kindling/controller";
import { messageOf } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import { followCertificate, type Log, watchFiles } from "@kindling/service";
import type { ConnectConfig } from "../config/connect-keys.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { ConfiguredAuthenticator } from "../users/authenticate-by.ts";
import type { GrpcServer } from "./grpc-server.ts";

export interface Followed {
  readonly served: GrpcServer;
  readonly authenticator: ConfiguredAuthenticator;
  readonly profiles: Profiles;
  readonly outside: Outside;
  readonly log: Log;
  readonly undo: Undo;
}

/** Reads certificates, the access file and the profiles again when they change. */
export async function followFiles(
  config: ConnectConfig,
  { served, authenticator, profiles, outside: { clock }, log, undo }: Followed,
): Promise<void> {
  const every = { clock, intervalSeconds: config["tls.reloadInterval"] };
  const onFault = (error: unknown): void => log.error("changed files cannot be used", { error: messageOf(error) });
  const certificates = await followCertificate(config, {
    ...every,
    access: { file: config["auth.accessFile"], reload: () => authenticator.reload() },
    onRenewed(renewed) {
      if (renewed !== undefined) served.renew(renewed);
      log.info("certificates and access file read again");
    },
    onFault,
  });
  undo.add(() => certificates.close());
  const file = await watchFiles([config["profiles.file"]], {
    ...every,
    onChange: () =>
      Promise.resolve()
        .then(() => profiles.read())
        .catch(onFault),
  });
  undo.add(() => file.close());
}
