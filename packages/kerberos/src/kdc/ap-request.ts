import type { Random } from "@kindling/outside";
import { application, flags, integer, member, octetString, sequence, text, time } from "../asn1/der.ts";
import { NAME_TYPE, type Principal } from "../ticket/principal.ts";
import type { UsableTicket } from "../ticket/ticket.ts";

/** The version of the protocol, in every message. */
const VERSION = 5;

export interface Proof {
  /** What the authenticator is encrypted for; see `KEY_USAGE`. */
  readonly usage: number;
  readonly checksum: { readonly type: number; readonly value: Buffer };
  /** By the KDC's clock, in milliseconds since the epoch. */
  readonly now: number;
  readonly random: Random;
}

/** AP-REQ: a ticket, with the proof that its owner sends it now (RFC 4120, sections 5.5.1). */
export function apRequest(ticket: UsableTicket, { usage, checksum, now, random }: Proof): Buffer {
  const authenticator = application(
    2,
    sequence(
      member(0, integer(VERSION)),
      member(1, text(ticket.client.realm)),
      member(2, principalParts(ticket.client)),
      member(3, sequence(member(0, integer(checksum.type)), member(1, octetString(checksum.value)))),
      // A service takes the same time twice for a repetition of the message.
      member(4, integer((now % 1000) * 1000 + Math.floor(random.fraction() * 1000))),
      member(5, time(now)),
    ),
  );
  const { encryption, key } = ticket;
  return application(
    14,
    sequence(
      member(0, integer(VERSION)),
      member(1, integer(14)),
      member(2, flags(0)),
      member(3, ticket.bytes),
      member(4, encryptedData(encryption.number, encryption.seal(key.value, usage, authenticator, random))),
    ),
  );
}

/** EncryptedData: sealed bytes with the kind of their key (RFC 4120, section 5.2.9). */
export function encryptedData(type: number, cipher: Buffer): Buffer {
  return sequence(member(0, integer(type)), member(2, octetString(cipher)));
}

/** PrincipalName: without the realm. A kind of 0 is unknown, which only older caches have. */
export function principalParts({ type, parts }: Principal): Buffer {
  return sequence(member(0, integer(type || NAME_TYPE.user)), member(1, sequence(...parts.map(text))));
}
