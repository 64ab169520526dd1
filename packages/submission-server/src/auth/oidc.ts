import { IssuerUnavailable, type TokenVerifier } from "@kindling/oidc";
import type { IssuerSettings } from "@kindling/oidc/settings";
import { MAX_TOKEN_BYTES, type ReviewedUser } from "@kindling/service";
import { ProblemError } from "../errors/problem-error.ts";
import type { Authenticator, Identity } from "./authenticator.ts";

export interface OidcAuthenticatorOptions {
  readonly settings: IssuerSettings;
  readonly verifier: TokenVerifier;
  readonly identityOf: (user: ReviewedUser) => Identity;
}

/** Tokens of an OpenID Connect issuer. The API server says what their users may do, as it does for its own tokens. */
export function oidcAuthenticator({ settings, verifier, identityOf }: OidcAuthenticatorOptions): Authenticator {
  const { "oidc.issuerUrl": issuer, "oidc.clientId": client } = settings;
  return {
    wanted: `Authorization: Bearer with a token of the issuer ${issuer} for the client ${client}`,
    async authenticate({ bearer }) {
      if (bearer === undefined || bearer.length > MAX_TOKEN_BYTES) return undefined;
      try {
        const found = await verifier.verify(bearer);
        if (found.kind === "user") return identityOf(found.user);
        return found.kind === "refused" ? { refused: `the token is not accepted: ${found.reason}` } : undefined;
      } catch (cause) {
        // The issuer's own line of the log says why, once and not for each client.
        if (cause instanceof IssuerUnavailable) throw new ProblemError("unavailable", cause.message);
        throw cause;
      }
    },
  };
}
