import type { IssuerSettings } from "../../src/settings.ts";

/** The settings for an issuer, with the usual values of the others. */
export function usualSettings(url: string, caFile: string | undefined): IssuerSettings {
  return {
    "oidc.issuerUrl": url,
    "oidc.clientId": "kindling",
    "oidc.usernameClaim": "sub",
    "oidc.usernamePrefix": "-",
    "oidc.groupsClaim": undefined,
    "oidc.groupsPrefix": undefined,
    "oidc.requiredClaim": [],
    "oidc.signingAlgs": ["RS256"],
    "oidc.caFile": caFile,
  };
}
