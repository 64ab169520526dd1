import type { Server } from "node:http";
import type { KubeClient } from "@kindling/kube";
import { messageOf } from "@kindling/core-spec";
import { openVerifier, signIn } from "@kindling/oidc";
import type { Outside } from "@kindling/outside";
import {
  accessReviews,
  type AuditLog,
  clientOfAddress,
  CREDENTIAL_ID,
  closeServer,
  keptAccess,
  listen,
  listeningAt,
  type Log,
  plainServer,
  readText,
  uriOf,
} from "@kindling/service";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import { signedInPage } from "../config/page-keys.ts";
import { historyRoutes } from "../console/history/history-routes.ts";
import { visibleHistory } from "../console/history/visible-history.ts";
import { signedInRoutes, type SignedInRoutesOptions } from "../console/page/signed-in-routes.ts";
import type { RecorderConnection } from "../recorder/recorder-connection.ts";

export interface PagePortOptions extends Pick<Outside, "clock" | "random" | "env"> {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  readonly log: Log;
  readonly auditLog: AuditLog;
  /** What keeps the history of applications; undefined if there is none. */
  readonly recorder: RecorderConnection | undefined;
  readonly overview: SignedInRoutesOptions["overview"];
  readonly samples: SignedInRoutesOptions["samples"];
}

/** All connections come from the proxy in front of it. */
const CONNECTIONS = { most: 512, mostPerClient: 512 };

/**
 * The server of the page for people who sign in; it does not listen yet. Undefined if there is no such page.
 *
 * @throws KindlingError `FILE_UNREADABLE`
 */
export function pageServer(options: PagePortOptions): Server | undefined {
  const { config, client, clock, random, env, log, auditLog } = options;
  const page = signedInPage(config);
  if (page === undefined) return undefined;
  const { issuer, url } = page;
  const file = config["page.clientSecretFile"];
  const clientSecret = (): string | undefined => (file === undefined ? undefined : readText(file).trim());
  clientSecret();
  const own = signIn({
    ...{ clock, random, log, clientSecret },
    verifier: openVerifier(issuer, { clock, env, log }),
    clientId: issuer["oidc.clientId"],
    scopes: config["page.scopes"],
    pageUrl: url,
    sessionSeconds: config["page.session"],
    onSignIn({ socket }, user, reason) {
      auditLog.write({
        ...{ verb: "sign-in", reason, decision: user === undefined ? "forbid" : "allow" },
        user: user && { username: user.username, groups: user.groups, credentialID: user.extra[CREDENTIAL_ID]?.[0] },
        sourceIPs: [clientOfAddress(socket.remoteAddress ?? "")],
      });
    },
  });
  const { recorder, overview, samples } = options;
  const ask = keptAccess({ reviews: accessReviews(client), clock, cacheSeconds: config["auth.cache"] });
  const hosts = [url.hostname];
  const history =
    recorder &&
    historyRoutes({
      hosts,
      history: visibleHistory({
        ...{ recorder, ask, clock },
        onMissing: (part, error) => log.warn("a part of the history cannot be read", { part, error: messageOf(error) }),
      }),
      queues: () => overview().queues.map(({ path }) => path),
      onFailure: (error) => log.warn("the history cannot be read", { error: messageOf(error) }),
    });
  const pages = signedInRoutes({ signIn: own, overview, samples, hosts, ask, history });
  return plainServer({ clock, routes: {}, pages, connections: CONNECTIONS });
}

/**
 * Begins to serve the page.
 *
 * @throws KindlingError `CONF_INVALID`
 */
export async function openPagePort(
  config: GatewayConfig,
  server: Server | undefined,
): Promise<{ readonly uri: string; close(): Promise<void> } | undefined> {
  const { "page.host": host, "page.port": wanted } = config;
  if (server === undefined || wanted === undefined) return undefined;
  const port = await listeningAt({ host, port: wanted }, "page", (...place) => listen(server, ...place));
  return { uri: uriOf("http", host, port), close: () => closeServer(server) };
}
