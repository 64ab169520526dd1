import type { Clock } from "@kindling/outside";
import type { AskedPod, PodEndSoFar } from "@kindling/recorder-client";
import type { RecorderAddress } from "../../config/recorder-keys.ts";
import { recorderConnection } from "../../recorder/recorder-connection.ts";

/** The recorder, as far as deletions need it. */
export interface OpenRecorder {
  ask(pods: readonly AskedPod[]): Promise<ReadonlyMap<string, PodEndSoFar>>;
  close(): void;
}

/** Nothing is held for longer. */
const ANSWER_MS = 5_000;

/** The recorder of the settings; undefined if there is none. */
export function openRecorder(config: RecorderAddress, clock: Clock): OpenRecorder | undefined {
  const connection = recorderConnection(config, { clock, answerMs: ANSWER_MS, underWayMs: 2 * ANSWER_MS });
  if (connection === undefined) return undefined;
  return {
    ask: (pods) => connection.ask((recorder) => recorder.podEnds(pods, ANSWER_MS)),
    close: () => connection.close(),
  };
}
