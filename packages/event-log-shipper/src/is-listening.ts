import { readFile } from "node:fs/promises";

/** State of a socket that waits for connections (Linux, include/net/tcp_states.h). */
const LISTEN = "0A";

/**
 * Whether some process of the pod listens at a port. All containers of a pod share the network, and so this table (proc_net(5)).
 */
export async function isListening(port: number): Promise<boolean> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((table) => readFile(table, "latin1").catch(() => "")),
  );
  return tables.some((table) =>
    table.split("\n").some((row) => {
      const [, address = "", , state] = row.trim().split(/\s+/);
      return address.endsWith(wanted) && state === LISTEN;
    }),
  );
}
