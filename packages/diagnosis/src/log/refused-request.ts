import { exceptionFrom } from "./java-exception.ts";

/** A request of a driver for an object that the API server refused. */
export interface RefusedRequest {
  /** `pods`, `persistentvolumeclaims`, … */
  readonly resource: string;
  /** The words of the API server or of an admission webhook. */
  readonly message: string;
  /** The HTTP status, if the client reports it. */
  readonly code: number | undefined;
  /** How many requests were refused in these words, apart from names and numbers. */
  readonly times: number;
  /** RFC 3339: the times of the first and the last of them. */
  readonly since: string | undefined;
  readonly last: string | undefined;
  /** The line of the last of them. */
  readonly at: number;
}

// Fabric8's client, in Spark 3.5 to 4.3: KubernetesClientException of OperationSupport.requestFailure.
const POST = /Failure executing: POST at: (\S*?\/)?([a-z]+)\. Message: (.*)$/;
/** For a request without an answer (KubernetesClientException.forOperation). */
const CREATE = /^(?!Caused by).*Operation: \[create\] +for kind: \[(\w+)\].*failed/;
const END = /(?:\.\s*)?Received status: Status\(.*?\bcode=(\d+)|(?:\.\s*)?Received status: /;
/** Before its version 6, the client puts this in front of the API server's message for a 403. */
const PREFIX =
  /^(?:Forbidden|Unauthorized)! ?(?:Configured service account|User \S+) doesn't have access\.(?: Service account may have been revoked\.)? ?/;
// A webhook's message may have several lines.
const MOST_MESSAGE_LINES = 30;

/** The refusals in a driver's log. Those in the same words are joined, and the last one comes first. */
export function refusedRequests(lines: readonly string[], times: readonly string[] = []): RefusedRequest[] {
  const found = new Map<string, RefusedRequest>();
  for (let at = lines.length - 1; at >= 0; at--) {
    const said = saidAt(lines, at);
    if (said === undefined) continue;
    const key = said.message.replaceAll(/(?<![\w.-])[\w.-]*\d[\w.-]*/g, "#");
    const before = found.get(key);
    // Each is logged twice: as an exception, and as its cause.
    const isAgain = (lines[at] ?? "").startsWith("Caused by: ");
    found.set(key, {
      ...(before ?? { ...said, last: times[at] || undefined, at }),
      times: (before?.times ?? 0) + (isAgain ? 0 : 1),
      since: times[at] || undefined,
    });
  }
  return [...found.values()].map((one) => ({ ...one, times: Math.max(1, one.times) }));
}

function saidAt(
  lines: readonly string[],
  at: number,
): Pick<RefusedRequest, "resource" | "message" | "code"> | undefined {
  const [, kind] = CREATE.exec(lines[at] ?? "") ?? [];
  if (kind !== undefined)
    return { resource: `${kind.toLowerCase()}s`, message: withoutAnswer(lines, at), code: undefined };
  const [, , resource, first] = POST.exec(lines[at] ?? "") ?? [];
  if (resource === undefined || first === undefined) return undefined;
  const parts: string[] = [];
  for (const line of [first, ...lines.slice(at + 1, at + MOST_MESSAGE_LINES)]) {
    const end = END.exec(line);
    parts.push(end === null ? line : line.slice(0, end.index));
    if (end !== null)
      return { resource, message: text(parts), code: end[1] === undefined ? undefined : Number(end[1]) };
    if (/^\s+at /.test(line)) break;
  }
  // The older client does not write the status.
  return { resource, message: text([first]), code: PREFIX.test(first) ? 403 : undefined };
}

/** Why there was no answer: the last cause of the exception. */
function withoutAnswer(lines: readonly string[], at: number): string {
  const cause = exceptionFrom(lines, at)?.causes.at(-1)?.replace("Caused by: ", "");
  return `no answer: ${cause ?? lines[at] ?? ""}`;
}

function text(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ")
    .replace(PREFIX, "")
    .replace(/\.$/, "");
}

/** Whether a driver still asks and gets no other answer: Spark logs each time that it asks for executors. */
export function isStillRefused({ at }: Pick<RefusedRequest, "at">, lines: readonly string[]): boolean {
  const behind = lines.slice(at + 1);
  const asked = behind.filter((line) => line.includes("Going to request ")).length;
  return asked <= 1;
}
