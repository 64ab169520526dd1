import { CREDENTIAL_ID, type ReviewedUser } from "@kindling/service";
import type { IssuerSettings } from "../settings.ts";

/** The claims of a token whose signature is good. */
export type Claims = Readonly<Record<string, unknown>>;

/** The user that a token is of, or one clause that says why it cannot be said. */
export type ClaimedUser =
  | { readonly kind: "user"; readonly user: ReviewedUser }
  | { readonly kind: "refused"; readonly reason: string };

/** kube-apiserver adds it to each user that it has authenticated, and roles are bound to it. */
const AUTHENTICATED = "system:authenticated";
const RESERVED = "system:";

/**
 * The user of claims, as kube-apiserver's flags `--oidc-*` mean it (k8s.io/apiserver, plugin/pkg/authenticator/token/oidc,
 * and pkg/kubeapiserver/options/authentication.go for the default prefix). In one thing this is stricter: names that begin
 * with `system:` are the cluster's own, and an issuer cannot give them.
 */
export function userOfClaims(claims: Claims, settings: IssuerSettings): ClaimedUser {
  const fault = requiredFault(claims, settings["oidc.requiredClaim"]);
  if (fault !== undefined) return refused(fault);
  const nameClaim = settings["oidc.usernameClaim"];
  const name = claims[nameClaim];
  if (typeof name !== "string" || name === "") return refused(`it has no text in the claim ${nameClaim}`);
  if (nameClaim === "email" && claims["email_verified"] !== undefined && claims["email_verified"] !== true)
    return refused("its email address is not verified");
  const groups = groupsOf(claims, settings);
  if (groups === undefined)
    return refused(`its claim ${settings["oidc.groupsClaim"]} is neither a text nor a list of texts`);
  const username = `${prefixOf(settings)}${name}`;
  if ([username, ...groups].some((one) => one.startsWith(RESERVED)))
    return refused(`it claims a name that begins with ${RESERVED}, and these are the cluster's own`);
  const { jti } = claims;
  const extra = typeof jti === "string" && jti !== "" ? { [CREDENTIAL_ID]: [`JTI=${jti}`] } : {};
  return { kind: "user", user: { username, uid: "", groups: [...groups, AUTHENTICATED], extra } };
}

function refused(reason: string): ClaimedUser {
  return { kind: "refused", reason };
}

function prefixOf(settings: IssuerSettings): string {
  const prefix = settings["oidc.usernamePrefix"];
  if (prefix === "-") return "";
  return prefix ?? (settings["oidc.usernameClaim"] === "email" ? "" : `${settings["oidc.issuerUrl"]}#`);
}

function groupsOf(claims: Claims, settings: IssuerSettings): readonly string[] | undefined {
  const claim = settings["oidc.groupsClaim"];
  const value = claim === undefined ? undefined : claims[claim];
  // Absent for a user without groups, and for one with more than the issuer puts into a token.
  if (value === undefined || value === null) return [];
  const groups: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = groups.filter((group) => typeof group === "string");
  if (texts.length < groups.length) return undefined;
  return texts.map((group) => `${settings["oidc.groupsPrefix"] ?? ""}${group}`);
}

function requiredFault(claims: Claims, required: readonly string[]): string | undefined {
  for (const pair of required) {
    const [, claim = "", value = ""] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (claims[claim] !== value) return `its claim ${claim} is not the one that oidc.requiredClaim asks for`;
  }
  return undefined;
}
