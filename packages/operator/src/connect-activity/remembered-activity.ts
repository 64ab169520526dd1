import type { ServerActivity } from "../connect-states/server-activity.ts";
import type { ActivityAsker, UiPlace } from "./ask-server.ts";

export interface RememberedActivity {
  /** @param uid that of the server's pod */
  ask(this: void, uid: string, place: UiPlace): Promise<ServerActivity>;
}

/** For how long an answer counts that stops nothing. A server that works may change its executors many times a second. */
const REMEMBERED_MS = 15_000;

interface Remembered {
  readonly activity: ServerActivity;
  readonly untilMs: number;
}

/** Asks a server only now and then, except when it is quiet: that may stop it, and is asked each time. */
export function rememberedActivity(asker: Pick<ActivityAsker, "ask">, now: () => number): RememberedActivity {
  /** By the uids of pods. */
  const answers = new Map<string, Remembered>();
  return {
    async ask(uid, place) {
      for (const [key, { untilMs }] of answers) if (untilMs <= now()) answers.delete(key);
      const known = answers.get(uid);
      if (known !== undefined) return known.activity;
      const activity = await asker.ask(place);
      if (activity.kind !== "quiet") answers.set(uid, { activity, untilMs: now() + REMEMBERED_MS });
      return activity;
    },
  };
}
