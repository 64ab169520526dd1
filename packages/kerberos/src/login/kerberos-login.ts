import { KindlingError } from "@kindling/core-spec";
import type { Clock, Env } from "@kindling/outside";
import { usable } from "../kdc/service-ticket.ts";
import { readKrb5Settings, type Krb5Settings } from "../krb5-conf/krb5-settings.ts";
import type { Krb5Files } from "../krb5-conf/parse-krb5-conf.ts";
import { cacheFile, type SystemUser } from "../ticket/cache-file.ts";
import { grantedRealm, principalName, type Principal } from "../ticket/principal.ts";
import { parseTicketCache, TicketCacheError, type TicketCache } from "../ticket/ticket-cache.ts";
import type { UsableTicket } from "../ticket/ticket.ts";

/** What a login is read from. */
export interface LoginSources {
  readonly clock: Clock;
  readonly env: Env;
  readonly user: SystemUser;
  readonly files: Krb5Files & {
    /** `undefined` if there is no such file; throws if it cannot be read. */
    readonly readBytes: (path: string) => Buffer | undefined;
  };
  /** Files of the Kerberos configuration; earlier ones come first. */
  readonly krb5Confs: readonly string[];
}

/** A user with a ticket for tickets. */
export interface KerberosLogin {
  readonly principal: Principal;
  readonly ticketGranting: UsableTicket;
  readonly settings: Krb5Settings;
  /** By how many milliseconds the KDC's clock is ahead of this machine's. */
  readonly clockOffset: number;
}

/**
 * Finds the user's ticket, as after `kinit`.
 *
 * @throws KindlingError `KERBEROS_FAILED` if there is none that can be used
 */
export function kerberosLogin(sources: LoginSources): KerberosLogin {
  const { clock, files, krb5Confs, user, env } = sources;
  const settings = readKrb5Settings(krb5Confs, files);
  const path = cacheFile({ env, settings, user, readFile: files.readBytes });
  const cache = readCache(path, files.readBytes);
  const { client, clockOffset } = cache;
  const ticket = cache.tickets
    .filter(({ server }) => grantedRealm(server) === client.realm && server.realm === client.realm)
    .sort((a, b) => b.endTime - a.endTime)[0];
  if (ticket === undefined) {
    throw new KindlingError("KERBEROS_FAILED", `the ticket cache ${path} has no ticket of ${principalName(client)}`, {
      hint: "get a ticket with kinit",
    });
  }
  if (ticket.endTime <= clock.now() + clockOffset) {
    throw new KindlingError(
      "KERBEROS_FAILED",
      `the Kerberos ticket of ${principalName(client)} in ${path} ended at ${new Date(ticket.endTime).toISOString()}`,
      { hint: "get a new ticket with kinit" },
    );
  }
  return { principal: client, ticketGranting: usable(ticket), settings, clockOffset };
}

function readCache(path: string, readBytes: LoginSources["files"]["readBytes"]): TicketCache {
  const bytes = readBytes(path);
  if (bytes === undefined) {
    throw new KindlingError("KERBEROS_FAILED", `there is no Kerberos ticket: the ticket cache ${path} does not exist`, {
      hint: "get a ticket with kinit, or set KRB5CCNAME to the cache",
    });
  }
  try {
    return parseTicketCache(bytes);
  } catch (error) {
    if (!(error instanceof TicketCacheError)) throw error;
    throw new KindlingError("KERBEROS_FAILED", `the ticket cache ${path} cannot be read: ${error.message}`, {
      hint: "make it new with kinit",
      cause: error,
    });
  }
}
