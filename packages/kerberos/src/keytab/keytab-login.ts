import { harmlessText, KindlingError } from "@kindling/core-spec";
import type { Clock, Random } from "@kindling/outside";
import { DerError } from "../asn1/der.ts";
import { encryptionType, encryptionTypeName, ENCRYPTION_TYPES } from "../crypto/encryption-type.ts";
import { realmClient, type AskKdc, type FindServers } from "../kdc/kdc-client.ts";
import { usable } from "../kdc/service-ticket.ts";
import { readLoginReply, type KdcRefusal, type TicketReply } from "../kdc/ticket-reply.ts";
import type { Krb5Settings } from "../krb5-conf/krb5-settings.ts";
import type { KerberosLogin } from "../login/kerberos-login.ts";
import { principalName, type Principal } from "../ticket/principal.ts";
import { parseKeytab, KeytabError, parsePrincipal, type KeytabEntry } from "./keytab.ts";
import { loginRequest } from "./login-request.ts";

/** Who logs in. */
export interface KeytabUser {
  readonly keytab: Buffer;
  /** The keytab's path, for errors. */
  readonly path: string;
  /** The principal's name; without a realm, it is of the default realm. */
  readonly principal: string;
  readonly settings: Krb5Settings;
}

export interface KeytabLoginMeans {
  readonly clock: Clock;
  readonly random: Random;
  readonly askKdc: AskKdc;
  readonly findServers: FindServers;
}

// What is asked for; KDCs usually give at most 10 or 24 hours.
const WANTED_MS = 24 * 3_600_000;

// RFC 4120, section 7.5.9.
const NO_SUCH_TYPE = 14;
const WRONG_KEY = 24;
const CLOCK_SKEW = 37;

/**
 * Logs in with a keytab, as `kinit -k` does (RFC 4120, section 3.1). If this machine's clock differs from the KDC's, the KDC's
 * time is used, as MIT's client does.
 *
 * @throws KindlingError `KERBEROS_FAILED`, `KDC_UNREACHABLE`
 */
export async function keytabLogin(user: KeytabUser, means: KeytabLoginMeans): Promise<KerberosLogin> {
  const { settings, path } = user;
  const { clock, random, askKdc, findServers } = means;
  const { principal, keys } = keysOf(user);
  const askRealm = realmClient({ settings, ask: askKdc, findServers });
  let clockOffset = 0;

  const ask = async ({ key }: KeytabEntry): Promise<TicketReply | undefined> => {
    const encryption = encryptionType(key.type);
    if (encryption === undefined) return undefined;
    const nonce = Buffer.from(random.bytes(4)).readUInt32BE() & 0x7fff_ffff;
    const now = clock.now() + clockOffset;
    const asked = { client: principal, encryption, key: key.value, nonce };
    const answer = await askRealm(principal.realm, loginRequest({ ...asked, now, until: now + WANTED_MS, random }));
    return readLoginReply(answer, asked);
  };

  let refusal: KdcRefusal | undefined;
  for (const key of keys) {
    let reply = await ask(key).catch((error: unknown) => throwUnusable(error, principal));
    if (reply !== undefined && "refusal" in reply && reply.refusal.code === CLOCK_SKEW) {
      clockOffset = reply.refusal.serverTime - clock.now();
      reply = await ask(key).catch((error: unknown) => throwUnusable(error, principal));
    }
    if (reply === undefined) continue;
    if ("ticket" in reply) return { principal, ticketGranting: usable(reply.ticket), settings, clockOffset };
    refusal = reply.refusal;
    // The principal may have another kind of key.
    if (refusal.code !== WRONG_KEY && refusal.code !== NO_SUCH_TYPE) break;
  }
  throw refused(principal, path, refusal);
}

/** The newest key of each kind that can be used, in the order of {@link ENCRYPTION_TYPES}. */
function keysOf({ keytab, path, principal: name, settings }: KeytabUser): {
  readonly principal: Principal;
  readonly keys: readonly KeytabEntry[];
} {
  const principal = parsePrincipal(name, settings.defaultRealm);
  if (principal === undefined) {
    throw new KindlingError("KERBEROS_FAILED", `${harmlessText(name)} is no principal with a realm`, {
      hint: "write it as name@REALM, or set default_realm in krb5.conf",
    });
  }
  const full = principalName(principal);
  const own = entriesOf(keytab, path).filter((entry) => principalName(entry.principal) === full);
  const keys = ENCRYPTION_TYPES.flatMap(({ number, keyLength }) => {
    const fitting = own.filter(({ key }) => key.type === number && key.value.length === keyLength);
    return fitting.toSorted((a, b) => b.version - a.version).slice(0, 1);
  });
  if (keys.length > 0) return { principal, keys };
  const others = [...new Set(own.map(({ key }) => encryptionTypeName(key.type)))];
  throw new KindlingError(
    "KERBEROS_FAILED",
    others.length === 0
      ? `the keytab ${path} has no key of ${full}`
      : `the keytab ${path} has only keys of ${full} that are not used here: ${others.join(", ")}`,
    { hint: others.length === 0 ? `look with klist -k ${path}` : "have the KDC make keys of AES, and the keytab anew" },
  );
}

function entriesOf(keytab: Buffer, path: string): KeytabEntry[] {
  try {
    return parseKeytab(keytab);
  } catch (error) {
    if (!(error instanceof KeytabError)) throw error;
    throw new KindlingError("KERBEROS_FAILED", `the keytab ${path} cannot be read: ${error.message}`, { cause: error });
  }
}

function throwUnusable(error: unknown, { realm }: Principal): never {
  if (!(error instanceof DerError)) throw error;
  throw new KindlingError("KERBEROS_FAILED", `the KDC of ${realm} sent an answer that cannot be used`, {
    hint: `check kdc of ${realm} under [realms] in krb5.conf: is it a KDC?`,
    cause: error,
  });
}

const MEANINGS: Readonly<Record<number, string>> = {
  6: "does not know PRINCIPAL",
  [NO_SUCH_TYPE]: "has no key of AES for PRINCIPAL",
  18: "says that the account of PRINCIPAL is locked or has ended",
  23: "says that the password of PRINCIPAL has ended",
  [WRONG_KEY]: "does not take the key of PRINCIPAL",
};

function refused(principal: Principal, path: string, refusal: KdcRefusal | undefined): KindlingError {
  const full = principalName(principal);
  const { code = WRONG_KEY, text } = refusal ?? {};
  const said = text === undefined || text === "" ? "" : `: ${harmlessText(text)}`;
  const words = MEANINGS[code]?.replace("PRINCIPAL", full) ?? `lets ${full} not log in: error ${code}${said}`;
  return new KindlingError("KERBEROS_FAILED", `the KDC of ${principal.realm} ${words}`, {
    hint:
      code === WRONG_KEY
        ? `make the keytab ${path} anew: the principal may have got another key`
        : "the log of the KDC says more",
  });
}
