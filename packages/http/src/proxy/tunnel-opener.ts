import type { Socket } from "node:net";
import type { Proxy } from "./proxy.ts";

/** The far end of a tunnel. */
export interface TunnelTarget {
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Opens a tunnel. To give it up, destroy the connections that it passed to `begun`. */
export type TunnelOpener = (
  proxy: Proxy,
  target: TunnelTarget,
  begun: (connection: Destroyable) => void,
) => Promise<Socket>;

export interface Destroyable {
  destroy(error: Error): unknown;
}
