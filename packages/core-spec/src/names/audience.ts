/**
 * Whether the audience of a token is that of an API server itself, as far as its name tells: Kubernetes' own issuers are
 * called so (kube-apiserver, `--api-audiences`, which defaults to `--service-account-issuer`). A cloud's may have any name.
 */
export function isApiServerAudience(audience: string): boolean {
  return /^(https?:\/\/)?kubernetes(\.default|$)|^api$/.test(audience);
}
