import type { Clock, Random } from "@kindling/outside";
import {
  DIGITAL_SIGNATURE,
  distinguishedName,
  extension,
  keyPem,
  newKeys,
  signedCertificate,
  validFor,
  type Certificate,
} from "./certificate.ts";
import { serialNumber } from "./serial-number.ts";
import { derContext, derSequence } from "./write-der.ts";

/**
 * A certificate that signs itself, for peers that trust exactly this one: ECDSA over P-256, valid from a day before now, for
 * clocks that are slow. It can sign no other certificate.
 *
 * @param name its common name, and the one host that it is for
 */
export function selfSigned(clock: Clock, random: Random, name: string, days: number): Certificate {
  const { privateKey, publicKey } = newKeys();
  const subject = distinguishedName(name);
  const certificate = signedCertificate(
    {
      subject,
      issuer: subject,
      serial: serialNumber(random),
      publicKey,
      validity: validFor(clock, days),
      extensions: [DIGITAL_SIGNATURE, extension("2.5.29.17", derSequence(derContext(2, Buffer.from(name), false)))],
    },
    privateKey,
  );
  return { certificate, key: keyPem(privateKey) };
}
