import { Readable } from "node:stream";
import { discardBody } from "@kindling/http";
import {
  quotedAnswer,
  readWhole,
  StagingError,
  type DownloadPart,
  type DownloadSource,
  type StagingTransport,
} from "@kindling/staging-client";
import { dataNodeReach } from "./data-node-reach.ts";
import { nameNode, refusal, type NameNodeAnswer, type NameNodeOptions } from "./namenode.ts";

const MOST_STATUS_BYTES = 64 * 1024;
// RFC 1035, 2.3.4, as a text.
const LONGEST_HOST = 253;

interface FileStatus {
  readonly length: number;
  readonly modificationTime: number;
  readonly type: string;
}

/**
 * A file of HDFS by WebHDFS or HttpFS. The name node says how long the file is and of which time, which serves to
 * resume, and sends to a data node for the bytes; what identifies us is not sent there, but for what the name node put
 * into that address itself.
 */
export function hdfsFile(uri: string, options: NameNodeOptions): DownloadSource {
  const { transport } = options;
  const service = nameNode(options);
  return {
    description: uri,
    async open(offset, validator, signal) {
      const { length, modificationTime, type } = await fileStatus(
        await service.ask("GETFILESTATUS", {}, signal),
        transport,
      );
      if (type !== "FILE") throw new StagingError("rejected", `${uri} is a directory`, { hint: "name a file" });
      const current = `"${modificationTime}-${length}"`;
      const start = validator === current && offset <= length ? offset : 0;
      // A name node refuses an offset at the end, where there is nothing more to read.
      const body = start === length ? Readable.from([], { objectMode: false }) : await open(start, length, signal);
      return { body, start, size: length, validator: current };
    },
  };

  async function open(start: number, length: number, signal: AbortSignal): Promise<DownloadPart["body"]> {
    const answer = await service.ask("OPEN", { offset: String(start) }, signal);
    const response = answer.response.status < 300 ? answer.response : await follow(answer, options, signal);
    const announced = response.headers["content-length"];
    if (announced !== undefined && Number(announced) !== length - start) {
      response.body.destroy();
      throw new StagingError("protocol", `${uri}: not the ${length - start} bytes are announced that are left`, {
        retryable: true,
      });
    }
    return response.body;
  }
}

async function fileStatus({ response, url }: NameNodeAnswer, transport: StagingTransport): Promise<FileStatus> {
  const text = await readWhole(response, transport, MOST_STATUS_BYTES);
  try {
    const { length, modificationTime, type } = (JSON.parse(text) as { FileStatus: Record<string, unknown> }).FileStatus;
    if (Number.isSafeInteger(length) && Number.isSafeInteger(modificationTime) && typeof type === "string") {
      return { length: length as number, modificationTime: modificationTime as number, type };
    }
  } catch {
    // As if it had no such member.
  }
  throw new StagingError("protocol", `${url.host}: the answer to GETFILESTATUS is none of WebHDFS`, {
    hint: "is this the address of a WebHDFS or HttpFS service?",
  });
}

/** The second of WebHDFS' two steps. */
async function follow(
  { response, url }: NameNodeAnswer,
  { transport, dataNodeHosts }: NameNodeOptions,
  signal: AbortSignal,
): Promise<NameNodeAnswer["response"]> {
  const { location } = response.headers;
  const nameNodeAddress = response.remoteAddress;
  discardBody(response);
  const refuse = (what: string): StagingError =>
    new StagingError("redirect", `${url.host} sends to ${what} for the bytes, which is not allowed`);
  if (response.status !== 307 || location === undefined || !URL.canParse(location)) throw refuse("no address");
  const target = new URL(location);
  if (target.protocol !== "https:" && target.protocol !== "http:") {
    throw refuse(`the scheme ${quotedAnswer(target.protocol, transport)}`);
  }
  if (target.hostname.length > LONGEST_HOST) throw refuse("a host with a name that is too long");
  if (url.protocol === "https:" && target.protocol === "http:") throw refuse(`plain http at ${target.host}`);
  const reach = dataNodeReach(target, { url, address: nameNodeAddress }, dataNodeHosts);
  if (reach === "none") throw refuse(target.host);
  const request = { method: "GET", url: target, headers: {}, signal } as const;
  const second = await transport.send(reach === "anywhere" ? request : { ...request, reach });
  if (second.status !== 200 && second.status !== 206) throw await refusal(second, transport, target);
  return second;
}
