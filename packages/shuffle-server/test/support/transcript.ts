import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import {
  decodeBlockMessage,
  decodeTransportAnswer,
  encodeBlockMessage,
  encodeTransportAnswer,
  type ReceivedAnswer,
} from "../../src/index.ts";
import { beginConversation, type Conversation } from "./conversations.ts";
import type { ShuffleFiles } from "./shuffle-files.ts";

/** What a server answered to an exchange. */
export interface Answered {
  readonly exchange: string;
  /** Frames in hexadecimal, without what differs from run to run; failures in words. */
  readonly answers: readonly string[];
  /** Whether the server closed the connection. */
  readonly isClosed: boolean;
}

/** How long a recorder waits for more. */
const QUIET_MS = 700;
const MOST_HEX = 400;
const STREAM_RESPONSE = 7;
/** Java tells of its buffers, and Spark shows the fields of messages. */
const INSIDE_OF_JAVA = /^(java.lang.IndexOutOfBoundsException|.*Unexpected message.*: \w+)[:[].*/;

/**
 * Has a conversation with a server.
 *
 * @param expected how many answers there are, if it is known; else it waits until nothing more comes
 */
export async function converse(
  port: number,
  { exchanges }: Conversation,
  files: ShuffleFiles,
  expected?: readonly Answered[],
): Promise<readonly Answered[]> {
  beginConversation();
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const inbox = new Inbox(socket);
  const handles: bigint[] = [];
  const all: Answered[] = [];
  for (const [index, { name, send, before }] of exchanges.entries()) {
    before?.(files);
    socket.write(send(handles, files));
    const known = expected?.[index];
    const found = await inbox.read(known);
    const answers: string[] = [];
    for (const answer of found.answers) {
      const handle = handleOf(answer.frame);
      if (handle !== undefined) handles.push(handle);
      answers.push(shown(answer, handles, files));
    }
    all.push({ exchange: name, answers, isClosed: found.isClosed });
  }
  socket.destroy();
  return all;
}

interface Received {
  /** Without its length. */
  readonly frame: Buffer;
  /** The bytes after a stream's frame. */
  readonly body: Buffer;
}

class Inbox {
  #bytes: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    socket.on("data", (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#wake();
    });
    socket.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  async read(known: Answered | undefined): Promise<{ answers: readonly Received[]; isClosed: boolean }> {
    const answers: Received[] = [];
    for (;;) {
      const next = this.#next();
      if (next !== undefined) answers.push(next);
      else if (this.#isClosed) return { answers, isClosed: true };
      else if (known !== undefined && answers.length === known.answers.length && !known.isClosed) {
        return { answers, isClosed: false };
      } else if (!(await this.#more(known))) return { answers, isClosed: false };
    }
  }

  #more(known: Answered | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = known === undefined ? setTimeout(() => resolve(false), QUIET_MS) : undefined;
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  #next(): Received | undefined {
    if (this.#bytes.length < 8) return undefined;
    const length = Number(this.#bytes.readBigInt64BE());
    if (this.#bytes.length < length) return undefined;
    const frame = this.#bytes.subarray(8, length);
    let end = length;
    if (frame[0] === STREAM_RESPONSE) {
      const answer = decodeTransportAnswer(frame);
      end += answer.kind === "stream" ? answer.bodyLength : 0;
    }
    if (this.#bytes.length < end) return undefined;
    const body = this.#bytes.subarray(length, end);
    this.#bytes = this.#bytes.subarray(end);
    return { frame, body };
  }
}

function handleOf(frame: Buffer): bigint | undefined {
  const answer = decodeTransportAnswer(frame);
  if (answer.kind !== "rpc" || answer.body.length === 0) return undefined;
  const message = decodeBlockMessage(Buffer.from(answer.body));
  return message.kind === "stream-handle" ? message.streamId : undefined;
}

/** An answer as it is recorded. */
function shown({ frame, body }: Received, handles: readonly bigint[], files: ShuffleFiles): string {
  const answer = decodeTransportAnswer(frame);
  // The recording leaves out some values of the decoded answer, so decoding must lose nothing.
  const again = encoded(answer).subarray(8);
  if (!again.equals(frame)) throw new Error(`${frame.toString("hex")} is read as ${again.toString("hex")}`);
  const place = (id: bigint): bigint => BigInt(handles.indexOf(id));
  const text = (line: string): string => {
    const [first = ""] = line.split("\n");
    const stable = handles.reduce((all, id, index) => all.replaceAll(String(id), `<handle ${index}>`), first);
    return stable.replaceAll(files.root, "<root>").replace(INSIDE_OF_JAVA, "$1");
  };
  switch (answer.kind) {
    case "chunk-failure":
      return `chunk ${place(answer.streamId)}/${answer.chunkIndex} failed: ${text(answer.error)}`;
    case "rpc-failure":
      return `rpc ${answer.requestId} failed: ${text(answer.error)}`;
    case "stream-failure":
      return `stream ${text(answer.streamId)} failed: ${text(answer.error)}`;
    case "chunk":
      return hex(encoded({ ...answer, streamId: place(answer.streamId) }));
    case "stream": {
      const [id = "", chunk = ""] = answer.streamId.split("_");
      const stable = encodeTransportAnswer({ ...answer, streamId: `${place(BigInt(id))}_${chunk}` });
      return `${hex(stable)} ${hex(body)}`;
    }
    case "rpc":
      return hex(encodeTransportAnswer({ ...answer, body: stableBody(Buffer.from(answer.body), place, files) }));
  }
}

function stableBody(body: Buffer, place: (id: bigint) => bigint, files: ShuffleFiles): Buffer {
  if (body.length === 0) return body;
  const message = decodeBlockMessage(body);
  if (message.kind === "stream-handle") return encodeBlockMessage({ ...message, streamId: place(message.streamId) });
  // The root always has the same length.
  return Buffer.from(body.toString("latin1").replaceAll(files.root, "/tmp/ksh-000000"), "latin1");
}

function encoded(answer: ReceivedAnswer): Buffer {
  if (answer.kind !== "chunk") return encodeTransportAnswer(answer);
  return Buffer.concat([encodeTransportAnswer({ ...answer, bodyLength: answer.body.length }), answer.body]);
}

function hex(bytes: Buffer): string {
  if (bytes.length <= MOST_HEX) return bytes.toString("hex");
  return `${bytes.length} bytes, SHA-256 ${createHash("sha256").update(bytes).digest("hex")}`;
}
