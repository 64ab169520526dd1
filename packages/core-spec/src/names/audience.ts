/**
 * Whether the audience of a token looks like that of an API server itself: Kubernetes' own issuers have such names
 * (kube-apiserver, `--api-audiences`, which defaults to `--service-account-issuer`). In a cloud the audience may have any
 * name.
 */
export function isApiServerAudience(audience: string): boolean {
  return /^(https?:\/\/)?kubernetes(\.default|$)|^api$/.test(audience);
}

/**
 * Whether tokens with this audience are for one service only: a name without blanks and commas that does not belong to an API
 * server.
 */
export function isServiceAudience(audience: string): boolean {
  return /^[\x21-\x2b\x2d-\x7e]{1,253}$/.test(audience) && !isApiServerAudience(audience);
}
