/**
 * Whether the audience of a token is that of an API server itself, as far as its name tells: Kubernetes' own issuers are
 * called so (kube-apiserver, `--api-audiences`, which defaults to `--service-account-issuer`). A cloud's may have any name.
 */
export function isApiServerAudience(audience: string): boolean {
  return /^(https?:\/\/)?kubernetes(\.default|$)|^api$/.test(audience);
}

/**
 * Whether tokens of this audience are for one service alone: a name without blanks and commas that is not the API
 * server's own.
 */
export function isServiceAudience(audience: string): boolean {
  return /^[\x21-\x2b\x2d-\x7e]{1,253}$/.test(audience) && !isApiServerAudience(audience);
}
