import { readFile } from "node:fs/promises";
import { createServer } from "node:net";

/** State of a socket that waits for connections (Linux, include/net/tcp_states.h). */
const LISTEN = "0A";

/**
 * Tells again and again whether some process of the pod listens at a port.
 *
 * At first it looks into the tables of the kernel, which take the kernel some milliseconds. Once the port has been open, it asks for
 * the port itself: nobody gets it while another one listens there. It is given back at once. Before that, it must not be asked for,
 * because the driver would not get it.
 */
export function listeningAt(port: number): () => Promise<boolean> {
  let wasListening = false;
  return async () => {
    if (wasListening && (await isTaken(port)) === true) return true;
    const isListening = await isInTables(port);
    wasListening ||= isListening;
    return isListening;
  };
}

/** All containers of a pod share the network, and so these tables (proc_net(5)). */
async function isInTables(port: number): Promise<boolean> {
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

/** Whether some process of the pod has a port, at any of its addresses; undefined if that cannot be found out so. */
async function isTaken(port: number): Promise<boolean | undefined> {
  return await new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error && error.code === "EADDRINUSE" ? true : undefined));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(false)));
  });
}
