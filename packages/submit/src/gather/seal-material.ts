import type { SparkConf } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import { isSealedWithTls, type SealMaterial } from "@kindling/steps";

/** The host in the certificate. Spark compares it with no address. */
const HOST = "spark";
/** The application ends when its driver's pod does, and the key goes with it. No application may end before, by its key. */
const DAYS = 3650;

/** A new secret for one application, and a new key if its Spark has TLS. */
export async function sealMaterial(
  conf: SparkConf,
  { clock, random }: Pick<Outside, "clock" | "random">,
): Promise<SealMaterial> {
  const secret = Buffer.from(random.bytes(32)).toString("base64");
  if (!isSealedWithTls(conf)) return { secret };
  const { selfSigned } = await import("@kindling/x509");
  return { secret, tls: selfSigned(clock, random, HOST, DAYS) };
}
