import type { Clock, Env } from "@kindling/outside";
import { type Log, readText } from "@kindling/service";
import type { IssuerConnection } from "../issuer/fetch-document.ts";
import { type Issuer, openIssuer } from "../issuer/issuer.ts";
import type { IssuerSettings } from "../settings.ts";
import { tokenVerifier, type TokenVerifier } from "./token-verifier.ts";

export interface OpenVerifierOptions {
  readonly clock: Clock;
  /** For proxies on the way to the issuer. */
  readonly env: Env;
  readonly log: Log;
}

/** A verifier, with what signing in needs of its issuer. */
export interface OpenedVerifier extends TokenVerifier {
  readonly issuer: Issuer;
  readonly connection: IssuerConnection;
}

/**
 * Begins to read the issuer's keys, and checks tokens by them. A service may start while its issuer is away.
 *
 * @throws KindlingError `FILE_UNREADABLE` for `oidc.caFile`
 */
export function openVerifier(settings: IssuerSettings, { clock, env, log }: OpenVerifierOptions): OpenedVerifier {
  const file = settings["oidc.caFile"];
  const ca = (): string | undefined => (file === undefined ? undefined : readText(file));
  ca();
  const connection = { clock, env, ca };
  const issuer = openIssuer({ ...connection, url: settings["oidc.issuerUrl"], log });
  return { ...tokenVerifier(issuer, settings, clock), issuer, connection };
}
