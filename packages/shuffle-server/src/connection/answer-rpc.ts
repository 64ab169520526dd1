import { FetchedBlocks, MergedBlocks, OpenedBlocks, type BlockList } from "../blocks/block-list.ts";
import { diagnoseCorruption } from "../blocks/diagnose-corruption.ts";
import { decodeBlockMessage, encodeBlockMessage, type BlockMessage, type TextList } from "../protocol/block-message.ts";
import { MalformedError } from "../protocol/byte-reader.ts";
import { inHashMapOrder } from "../protocol/java-text.ts";
import { RemoteError } from "../remote-error.ts";
import { checkApplication, type Service } from "./service.ts";
import type { Streams } from "./streams.ts";

/** Spark's name for the merged blocks of a host, among executors. */
const MERGER = "shuffle-push-merger";
const NOTHING = new Uint8Array(0);

/**
 * Does what a message asks, and returns the body of the answer.
 *
 * Source: `ExternalBlockHandler.handleMessage` with `NoOpMergedShuffleFileManager`, Spark 3.5.9 and 4.1.1.
 *
 * @throws RemoteError for the client
 */
export async function answerRpc(service: Service, streams: Streams, body: Buffer): Promise<Uint8Array> {
  const message = decode(body);
  if ("application" in message) checkApplication(service, message.application);
  switch (message.kind) {
    case "open-blocks": {
      const blocks = new OpenedBlocks(message.blockIds);
      if (blocks.areOfRdds) service.rddBlocksUsed();
      return open(service, streams, message, blocks);
    }
    case "fetch-shuffle-blocks":
      return open(service, streams, message, new FetchedBlocks(message.blocks));
    case "register-executor":
      if (await service.executors.register(message.application, message.executor, message.files)) {
        await service.registered();
      }
      return NOTHING;
    case "remove-blocks": {
      const executor = service.executors.get(message.application, message.executor);
      const count = await service.files.remove(executor, message.blockIds);
      service.blocksRemoved();
      return encodeBlockMessage({ kind: "blocks-removed", count });
    }
    case "get-local-dirs":
      return localDirs(service, message.application, message.executors);
    case "diagnose-corruption":
      return diagnose(service, message);
    case "merge":
      return merge(service, streams, message);
    case "blocks-removed":
    case "corruption-cause":
    case "local-dirs":
    case "stream-handle":
    case "unexpected":
      throw unsupported(`Unexpected message: ${nameOf(message)}`);
  }
}

/** Why a stream of data that a client announces is not taken. @throws RemoteError if the client may not even announce it */
export function refuseUpload(service: Service, meta: Buffer): RemoteError {
  const message = decode(meta);
  if (message.kind !== "merge" || message.message !== "PushBlockStream") {
    return unsupported(`Unexpected message with #receiveStream: ${nameOf(message)}`);
  }
  checkApplication(service, message.application);
  return unsupported("Cannot handle shuffle block merge");
}

export function unsupported(message: string): RemoteError {
  return new RemoteError("message", "java.lang.UnsupportedOperationException", message);
}

function decode(body: Buffer): Exclude<BlockMessage, { kind: "unknown" }> {
  let message: BlockMessage;
  try {
    message = decodeBlockMessage(body);
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    throw new RemoteError("message", "java.lang.IndexOutOfBoundsException", error.message);
  }
  if (message.kind !== "unknown") return message;
  throw new RemoteError("message", "java.lang.IllegalArgumentException", `Unknown message type: ${message.type}`);
}

/** Spark shows the fields of the message after its name. */
function nameOf(message: BlockMessage): string {
  if (message.kind === "unexpected") return message.name;
  if (message.kind === "merge") return message.message;
  // `stream-handle` is Spark's `StreamHandle`.
  return message.kind.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function open(
  service: Service,
  streams: Streams,
  { application, executor }: { readonly application: string; readonly executor: string },
  blocks: BlockList,
): Uint8Array {
  const streamId = service.nextStreamId();
  streams.open(streamId, { application, executor, blocks });
  return encodeBlockMessage({ kind: "stream-handle", streamId, chunks: blocks.chunks });
}

function localDirs(service: Service, application: string, executors: TextList): Uint8Array {
  const found = new Map<string, readonly string[]>();
  let asksForMerged = false;
  for (const executor of executors) {
    if (executor === MERGER) asksForMerged = true;
    else if (!found.has(executor)) found.set(executor, service.executors.get(application, executor).files.localDirs);
  }
  if (asksForMerged) throw unsupported("Cannot handle shuffle block merge");
  const order = inHashMapOrder(inHashMapOrder([...found.keys()]));
  const dirs = new Map(order.map((executor) => [executor, found.get(executor) ?? []]));
  return encodeBlockMessage({ kind: "local-dirs", dirs });
}

async function diagnose(
  { executors, files, reader }: Service,
  message: BlockMessage & { kind: "diagnose-corruption" },
): Promise<Uint8Array> {
  const executor = executors.get(message.application, message.executor);
  const cause = await diagnoseCorruption(files, executor, message, (fd, into, length, position) =>
    reader.readInThread(fd, into, 0, length, position),
  );
  return encodeBlockMessage({ kind: "corruption-cause", cause });
}

/** As a service without merging answers. */
function merge(service: Service, streams: Streams, message: BlockMessage & { kind: "merge" }): Uint8Array {
  switch (message.message) {
    case "FetchShuffleBlockChunks":
      return open(service, streams, { application: message.application, executor: "" }, new MergedBlocks());
    case "RemoveShuffleMerge":
      throw unsupported("Cannot handle merged shuffle remove");
    case "FinalizeShuffleMerge":
      throw unsupported("Cannot handle shuffle block merge");
    case "PushBlockStream":
      throw unsupported(`Unexpected message: ${nameOf(message)}`);
  }
}
