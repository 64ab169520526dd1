import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@kindling/core-spec";
import { type Clock, type Random, sleep } from "@kindling/outside";
import { type EventFile, eventFiles } from "./event-files.ts";
import { type RecorderUploads, RefusedError } from "./recorder-uploads.ts";

export interface ShipOptions {
  readonly folder: string;
  readonly recorder: RecorderUploads;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  /** Whether the driver listens at its port: it does so as long as its SparkContext lives. */
  readonly isDriverListening: () => Promise<boolean>;
  /** The pod ends. */
  readonly signal: AbortSignal;
  /** Told what goes wrong, once for each kind. */
  readonly write: (line: string) => void;
}

const LOOK_MS = 10_000;
/** After a failure, it is tried again soon: most recorders are away for moments. Each further wait is twice as long. */
const FIRST_RETRY_MS = 1_000;
/** When the driver has closed its port, its container ends soon. */
const LOOK_SOON_MS = 1_000;
/** After the end of the driver, or where nobody says whether it has ended, so much time is given to a recorder that is away. */
const PATIENCE_MS = 60_000;
const PIECE_BYTES = 512 * 1024;

/**
 * Brings the event logs of one driver to the recorder as they grow, until the driver has ended and the recorder has all of them,
 * or until that takes too long.
 *
 * @returns whether the recorder has all
 */
export async function ship(options: ShipOptions): Promise<boolean> {
  const { recorder, clock, isDriverListening, signal, write } = options;
  const told = new Set<string>();
  let sent: Map<string, number> | undefined;
  let hasEnded = false;
  let wasListening = false;
  let failures = 0;
  let reached = clock.monotonic();
  for (;;) {
    // What is written before this question is sent after it.
    const isLast = hasEnded || signal.aborted;
    const isListening = await isDriverListening();
    wasListening ||= isListening;
    try {
      if (sent === undefined) {
        const state = await recorder.state();
        sent = new Map(state.files);
      }
      await sendAll(options, sent);
      if (isLast) {
        await recorder.complete();
        return true;
      }
      hasEnded = (await recorder.state()).hasDriverEnded;
      reached = clock.monotonic();
      failures = 0;
    } catch (error) {
      const words = messageOf(error);
      if (!told.has(words)) write(words);
      told.add(words);
      if (error instanceof RefusedError) return false;
      sent = undefined;
      failures++;
      const mayHaveEnded = isLast || !isListening;
      if (mayHaveEnded && clock.monotonic() - reached > PATIENCE_MS) return false;
    }
    const isSoon = isLast || (wasListening && !isListening);
    const milliseconds = failures > 0 ? retryMs(options, failures) : isSoon ? LOOK_SOON_MS : LOOK_MS;
    if (!hasEnded || failures > 0) await pause(options, { isListening, milliseconds });
  }
}

/** Not all shippers of a cluster try at the same moment. */
function retryMs({ random }: ShipOptions, failures: number): number {
  return Math.min(LOOK_MS, FIRST_RETRY_MS * 2 ** (failures - 1)) * (0.5 + random.fraction() / 2);
}

/** Waits until the next look. It comes at once when the driver closes its port. */
async function pause(
  { clock, isDriverListening, signal }: ShipOptions,
  { isListening, milliseconds }: { readonly isListening: boolean; readonly milliseconds: number },
): Promise<void> {
  const end = clock.monotonic() + milliseconds;
  do {
    const step = Math.min(LOOK_SOON_MS, end - clock.monotonic());
    await (signal.aborted ? sleep(clock, step) : sleep(clock, step, signal));
    if (isListening && !(await isDriverListening())) return;
  } while (clock.monotonic() < end && !signal.aborted);
}

async function sendAll({ folder, recorder }: ShipOptions, sent: Map<string, number>): Promise<void> {
  for (const file of await eventFiles(folder)) {
    const known = sent.get(file.path);
    if (known === undefined || known < file.size) await sendRest(folder, file, recorder, sent);
    // The folder takes the node's disk.
    if (file.isRolled) await rm(join(folder, file.path), { force: true });
  }
}

async function sendRest(
  folder: string,
  { path, size }: EventFile,
  recorder: RecorderUploads,
  sent: Map<string, number>,
): Promise<void> {
  let offset = sent.get(path) ?? 0;
  const file = await open(join(folder, path), "r");
  try {
    const piece = Buffer.alloc(Math.max(1, Math.min(PIECE_BYTES, size - offset)));
    do {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, size - offset), offset);
      await recorder.append(path, offset, piece.subarray(0, bytesRead));
      offset += bytesRead;
      sent.set(path, offset);
      if (bytesRead === 0) return;
    } while (offset < size);
  } finally {
    await file.close();
  }
}
