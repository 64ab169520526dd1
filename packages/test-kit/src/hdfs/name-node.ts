import { ServerResponse, type IncomingMessage, type RequestListener } from "node:http";
import { parseRequest, refuse, type FakeCluster, type HdfsFault, type WebHdfsRequest } from "./fake-cluster.ts";
import { OPERATIONS } from "./operations.ts";

/** Answers what it can by itself, and redirects requests for a file's bytes to the data node. */
export function nameNode(cluster: FakeCluster, dataPort: number): RequestListener {
  const { tree, requests, faults } = cluster;
  return (request, response) => {
    const asked = parseRequest(request.url);
    const { op, path } = asked;
    requests.push(`${op} ${path}`);
    request.resume();
    cluster.hook?.(`${op} ${path}`);
    const any = faults.get("*")?.shift();
    if (any?.kind === "exception") return refuse(tree, response, any.status, any.exception);
    const [fault, ...rest] = faults.get(op) ?? [];
    const isData = op === "OPEN" || op === "CREATE";
    if (fault !== undefined && !(isData && (fault.kind === "cut" || fault.kind === "lost-answer")))
      faults.set(op, rest);
    if (fault?.kind === "exception") return refuse(tree, response, fault.status, fault.exception);
    if (isData) return redirect(cluster, asked, response, fault?.kind === "astray" ? ASTRAY : `127.0.0.1:${dataPort}`);
    return carryOut(cluster, asked, request, response, fault);
  };
}

const ASTRAY = "169.254.169.254";

function redirect(
  { tree }: FakeCluster,
  { op, path, url }: WebHdfsRequest,
  response: ServerResponse,
  host: string,
): void {
  if (op === "OPEN" && tree.inodes.get(path)?.bytes === undefined)
    return refuse(tree, response, 404, "FileNotFoundException");
  const target = new URL(`http://${host}${url.pathname}${url.search}&namenoderpcaddress=x`);
  response.writeHead(307, { location: target.href, date: new Date(tree.now()).toUTCString() }).end();
}

function carryOut(
  { tree }: FakeCluster,
  { op, path, url }: WebHdfsRequest,
  request: IncomingMessage,
  response: ServerResponse,
  fault: HdfsFault | undefined,
): void {
  const isLost = fault?.kind === "lost-answer";
  // A response without a connection: its data is lost.
  OPERATIONS[op]?.(tree, path, url.searchParams, isLost ? new ServerResponse(request) : response);
  if (isLost) request.socket.destroy();
}
