import type { Random } from "@kindling/outside";
import { encode, member, objectId, octetString, sequence } from "../asn1/der.ts";
import { KEY_USAGE } from "../crypto/encryption-type.ts";
import { apRequest } from "../kdc/ap-request.ts";
import type { UsableTicket } from "../ticket/ticket.ts";

// The object identifiers 1.2.840.113554.1.2.2 (RFC 4121) and 1.3.6.1.5.5.2 (RFC 4178).
const KERBEROS = Buffer.from("2a864886f712010202", "hex");
const SPNEGO = Buffer.from("2b0601050502", "hex");

/** The kind of the authenticator's checksum in GSS-API, which is none (RFC 4121, section 4.1.1). */
const GSS_CHECKSUM = 0x8003;

// Replays and wrong orders are noticed, and messages may be sealed or signed. The service does not prove itself, because the
// answer has everything that is wanted; it gets no ticket to act for the user.
const REPLAY_SEQUENCE_SEAL_SIGN = 0x3c;

/** The first and only token of a login over HTTP: the value behind `Negotiate` (RFC 4559, RFC 4178, RFC 4121). */
export function negotiateToken(ticket: UsableTicket, now: number, random: Random): string {
  // No channel bindings: 16 zero bytes with their length in front.
  const checksum = Buffer.alloc(24);
  checksum.writeUInt32LE(16, 0);
  checksum.writeUInt32LE(REPLAY_SEQUENCE_SEAL_SIGN, 20);
  const request = apRequest(ticket, {
    usage: KEY_USAGE.serviceAuthenticator,
    checksum: { type: GSS_CHECKSUM, value: checksum },
    now,
    random,
  });
  const kerberos = encode(0x60, objectId(KERBEROS), Buffer.from([1, 0]), request);
  const negotiation = sequence(member(0, sequence(objectId(KERBEROS))), member(2, octetString(kerberos)));
  return encode(0x60, objectId(SPNEGO), member(0, negotiation)).toString("base64");
}
