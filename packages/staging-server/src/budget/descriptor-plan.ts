import { KindlingError } from "@kindling/core-spec";

/** How many descriptors (open files and sockets) each part of the server may use. Together they fit into the limit. */
export interface DescriptorPlan {
  /** Sockets of clients. */
  readonly connections: number;
  /** Transfers at once; each has a file or a connection to the store besides its socket. */
  readonly uploads: number;
  readonly downloads: number;
  /** Files that wait to be flushed. */
  readonly unflushed: number;
  /** Documents that are being read or written. */
  readonly documents: number;
  /** Connections for health and metrics: these requests are answered even if clients have taken all other connections. */
  readonly admin: number;
  /** Watches of bundle owners: one for each namespace and type. */
  readonly watches: number;
}

export interface DescriptorNeeds {
  /** The numbers that are wanted at most, if the limit allows them. */
  readonly connections: number;
  readonly uploads: number;
  readonly downloads: number;
  /** Descriptors of one upload besides its socket: a file, or the spools of the parts that are on their way to S3. */
  readonly perUpload: number;
  /** Whether owners are watched in a cluster. */
  readonly watches: boolean;
}

// Standard streams, event loop, log, lock, listening sockets, files that are read again when they change; 24 were seen. A
// scrub, looks at files that may be damaged, and flushes of folders take eight more at most.
const OWN = 40;
const LEAST = 128;
const MOST_UNFLUSHED = 256;
const MOST_WATCHES = 4096;
// The share of the clients' descriptors that transfers may use besides their sockets. Sockets that are left when every
// transfer has one are for new connections and documents.
const FILES_SHARE = 0.36;

/**
 * Divides the descriptors of a process, so that it never runs out of them. Pure.
 *
 * @throws KindlingError `CONF_INVALID` if there are too few for a server
 */
export function planDescriptors(limit: number, needs: DescriptorNeeds): DescriptorPlan {
  if (limit < LEAST) {
    throw new KindlingError("CONF_INVALID", `this process may open ${limit} files; a server needs ${LEAST}`, {
      hint: "raise it with ulimit -n",
    });
  }
  const admin = clamp(limit / 32, 8, 32);
  const documents = clamp(limit / 16, 8, 64);
  const watches = needs.watches ? clamp(limit / 16, 8, MOST_WATCHES) : 0;
  const forClients = limit - OWN - admin - documents - watches;
  const unflushed = clamp(forClients / 12, 4, MOST_UNFLUSHED);
  const files = Math.floor((forClients - unflushed) * FILES_SHARE);
  const { uploads, downloads } = divideFiles(files, needs);
  return {
    connections: Math.min(needs.connections, forClients - unflushed - files),
    uploads,
    downloads,
    unflushed,
    documents,
    admin,
    watches,
  };
}

/** As many uploads and downloads as are wanted; if there are too few files, both are reduced in proportion. */
function divideFiles(files: number, needs: DescriptorNeeds): { readonly uploads: number; readonly downloads: number } {
  const { uploads, downloads, perUpload } = needs;
  const wanted = uploads * perUpload + downloads;
  if (wanted <= files) return { uploads, downloads };
  // Uploads have the smaller part by default, and must not get almost nothing.
  const share = Math.max(0.25, (uploads * perUpload) / wanted);
  const fitting = Math.min(uploads, Math.max(1, Math.floor((files * share) / perUpload)));
  return { uploads: fitting, downloads: Math.min(downloads, files - fitting * perUpload) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.floor(Math.min(most, Math.max(least, value)));
}
