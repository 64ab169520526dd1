import type { Term } from "@kindling/controller";
import type { SparkPod } from "./cluster/spark-pod.ts";
import { HandOver } from "./handover/hand-over.ts";
import { prepareTerm } from "./handover/prepare-term.ts";
import { Recorder, type RecorderOptions } from "./recording/recorder.ts";

/** The times in which this process records. Each begins with what others have stored meanwhile. */
export class RecordingTerms {
  readonly #options: RecorderOptions;
  #recorder: Recorder | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** `undefined` while this process does not record. */
  get recorder(): Recorder | undefined {
    return this.#recorder;
  }

  begin(term: Term): void {
    const ending = new AbortController();
    const beginning = this.#begin(term, ending.signal);
    term.onEnd(async () => {
      ending.abort();
      await beginning;
    });
  }

  async #begin(term: Term, signal: AbortSignal): Promise<void> {
    const { archive, index, history, pods, settings, meter, clock, random, log } = this.#options;
    const { spoolFolder: folder, handOver } = settings;
    const drivers = (): readonly SparkPod[] => [...pods.values()].filter(({ role }) => role === "driver");
    const known = { archive, index, history, folder, drivers };
    const isFollowing = await prepareTerm({ ...known, log, clock, random }, signal);
    if (isFollowing === undefined) return;
    await meter.begin(isFollowing ? "now" : "where it ended");
    // What is begun after the end of the term would not be ended.
    if (signal.aborted) return;
    if (handOver) {
      const handing = new HandOver({ archive, folder, clock, log });
      term.onEnd(() => handing.end());
    }
    this.#recorder = new Recorder(term, this.#options);
    term.onEnd(() => (this.#recorder = undefined));
  }
}
