import { KindlingError, messageOf, quotedName } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { closeServer, listen, plainServer, type PlainRoutes } from "@kindling/service";
import { LISTEN_ADDRESS_WANTED, listenAddress } from "../flags/listen-address.ts";

/**
 * Serves a few pages in plain HTTP.
 *
 * @param address as Go writes it: `:8081`, `127.0.0.1:8081`, `[::1]:8081`
 * @param flag the flag that it comes from, for errors
 * @throws KindlingError `ARGUMENT_INVALID` if the text is no address or cannot be listened on
 */
export async function startPlainServer(
  address: string,
  flag: string,
  routes: PlainRoutes,
  clock: Clock,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const place = listenAddress(address);
  if (place === undefined)
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `--${flag} has to be ${LISTEN_ADDRESS_WANTED}, and is ${quotedName(address)}`,
    );
  const server = plainServer({ clock, routes });
  try {
    return { port: await listen(server, place.host, place.port), stop: () => closeServer(server) };
  } catch (cause) {
    const message = `--${flag}: cannot listen on ${quotedName(address)}: ${messageOf(cause)}`;
    throw new KindlingError("ARGUMENT_INVALID", message, { cause });
  }
}
