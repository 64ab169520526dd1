import { RecorderError, type RecorderClient, type Stage } from "@kindling/recorder-client";

/**
 * The stages of a run. There are none of runs without an event log.
 *
 * @throws RecorderError
 */
export async function stagesOf(recorder: RecorderClient, uid: string): Promise<readonly Stage[]> {
  const stages: Stage[] = [];
  try {
    for await (const stage of recorder.stages(uid)) stages.push(stage);
  } catch (error) {
    // A recorder before 0.2 does not know them.
    if (!(error instanceof RecorderError && error.status === 404)) throw error;
  }
  return stages;
}
