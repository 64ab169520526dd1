import type { SparkConf } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import { isSealedWithTls, isUiSealed, type SealMaterial } from "@kindling/steps";

/** The host in the certificate. Spark compares it with no address. */
const HOST = "spark";
/** The application ends when its driver's pod does, and the key goes with it. No application may end before, by its key. */
const DAYS = 3650;

/** A new secret for one application, and new keys for what speaks TLS in it. */
export async function sealMaterial(
  conf: SparkConf,
  { clock, random }: Pick<Outside, "clock" | "random">,
): Promise<SealMaterial> {
  const secret = Buffer.from(random.bytes(32)).toString("base64");
  const [hasTls, hasUi] = [isSealedWithTls(conf), isUiSealed(conf)];
  if (!hasTls && !hasUi) return { secret };
  const { keyStore, selfSigned } = await import("@kindling/x509");
  const made = (): ReturnType<typeof selfSigned> => selfSigned(clock, random, HOST, DAYS);
  const password = Buffer.from(random.bytes(24)).toString("base64url");
  return {
    secret,
    ...(hasTls && { tls: made() }),
    // Another key than that of the executors, who have no part in the UI.
    ...(hasUi && { ui: { keyStore: keyStore(made(), password, HOST).toString("base64"), password } }),
  };
}
