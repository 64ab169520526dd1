import { settingMissing } from "./load.ts";

/**
 * Refuses a certificate without its key, and a key without its certificate.
 *
 * @throws KindlingError `CONF_MISSING`
 */
export function checkCertificatePair({
  "tls.certFile": certFile,
  "tls.keyFile": keyFile,
}: {
  readonly "tls.certFile": string | undefined;
  readonly "tls.keyFile": string | undefined;
}): void {
  if ((certFile === undefined) === (keyFile === undefined)) return;
  const [set, unset] = certFile === undefined ? (["key", "cert"] as const) : (["cert", "key"] as const);
  throw settingMissing(`tls.${unset}File`, `tls.${set}File alone is not enough for TLS`);
}
