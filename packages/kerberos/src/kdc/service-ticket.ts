import { KindlingError } from "@kindling/core-spec";
import type { Random } from "@kindling/outside";
import { DerError } from "../asn1/der.ts";
import { encryptionType, encryptionTypeName } from "../crypto/encryption-type.ts";
import type { Krb5Settings } from "../krb5-conf/krb5-settings.ts";
import { grantedRealm, NAME_TYPE, principalName, ticketGranting, type Principal } from "../ticket/principal.ts";
import type { Ticket, UsableTicket } from "../ticket/ticket.ts";
import type { AskRealm } from "./kdc-client.ts";
import { kdcRefusal } from "./kdc-refusal.ts";
import { readTicketReply } from "./ticket-reply.ts";
import { ticketRequest } from "./ticket-request.ts";

// As many realms as MIT's client goes through (KRB5_REFERRAL_MAXHOPS).
const MOST_REALMS = 10;

export interface TicketMeans {
  readonly settings: Krb5Settings;
  readonly askRealm: AskRealm;
  readonly random: Random;
  /** The time by the KDC's clock, in milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Gets a ticket for a service of a host, such as `HTTP`, with the user's ticket for tickets. A KDC that knows a realm nearer
 * to the service sends there, from realm to realm (RFC 6806, section 8; RFC 4120, section 3.3.3).
 *
 * @throws KindlingError `KERBEROS_FAILED`, `KDC_UNREACHABLE`
 */
export async function serviceTicket(
  service: string,
  host: string,
  own: UsableTicket,
  means: TicketMeans,
): Promise<UsableTicket> {
  let granting = own;
  let realm = grantedRealm(own.server) ?? own.client.realm;
  let target = means.settings.realmOf(host) ?? realm;
  const seen = new Set<string>();
  for (let hop = 0; hop < MOST_REALMS; hop++) {
    const isThere = realm === target;
    const wanted = isThere
      ? { type: NAME_TYPE.serviceHost, parts: [service, host], realm }
      : ticketGranting(target, realm);
    const ticket = usable(await ask(wanted, granting, realm, means));
    const nearer = grantedRealm(ticket.server);
    if (nearer === undefined || nearer === realm) return ticket;
    if (seen.has(nearer)) break;
    seen.add(nearer);
    granting = ticket;
    realm = nearer;
    if (isThere) target = nearer;
  }
  throw new KindlingError("KERBEROS_FAILED", `the KDCs send from realm to realm for ${service}/${host}`, {
    hint: `map the host's domain to its realm under [domain_realm] in krb5.conf`,
  });
}

async function ask(
  server: Principal,
  granting: UsableTicket,
  realm: string,
  { askRealm, random, now }: TicketMeans,
): Promise<Ticket> {
  // 31 bits, because some KDCs take the number for a signed one.
  const nonce = Buffer.from(random.bytes(4)).readUInt32BE() & 0x7fff_ffff;
  const sentAt = now();
  const answer = await askRealm(realm, ticketRequest({ ticketGranting: granting, server, nonce, now: sentAt, random }));
  try {
    const reply = readTicketReply(answer, granting, nonce);
    if ("ticket" in reply) return reply.ticket;
    throw kdcRefusal(reply.refusal, realm, server, sentAt);
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    throw new KindlingError("KERBEROS_FAILED", `the KDC of ${realm} sent an answer that cannot be used`, {
      hint: `check kdc of ${realm} under [realms] in krb5.conf: is it a KDC?`,
      cause: error,
    });
  }
}

/**
 * A ticket whose key can be used here.
 *
 * @throws KindlingError `KERBEROS_FAILED` for keys of older kinds
 */
export function usable(ticket: Ticket): UsableTicket {
  const encryption = encryptionType(ticket.key.type);
  if (encryption?.keyLength === ticket.key.value.length) return { ...ticket, encryption };
  throw new KindlingError(
    "KERBEROS_FAILED",
    `the ticket for ${principalName(ticket.server)} has a key of the type ${encryptionTypeName(ticket.key.type)}, which is not used here`,
    {
      hint: "have the KDC give keys of AES: see permitted_enctypes and default_tgs_enctypes in krb5.conf, and the keys of the principal",
    },
  );
}
